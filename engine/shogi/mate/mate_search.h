#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/core/types.h"
#include "engine/shogi/mate/mate_hand.h"
#include "engine/shogi/mate/mate_solver.h"
#include "engine/shogi/mate/mate_table.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The search of MateSolver: proves or disproves single positions; lines are made by the solver.
//
// A node's numbers are those of the side that moves there: `win` is the work left until it has what
// it wants (the attacker the mate, the defender that there is none), `loss` until it has not. Both
// sides are thus searched by the same code:
//   win = the least win of its moves, loss = the greatest loss + the number of open moves - 1
// (the second from T. Ueda et al., "Weak Proof-Number Search", 2008: a sum would count a position
// once for each way that leads to it).
class MateSearch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit MateSearch(size_t table_bytes) : table_(table_bytes), loops_(kLoopEntries) {}

  // Forgets everything. `attacker` is to mate.
  void Begin(Color attacker);
  // From now on: until `nodes` are searched in all, until `deadline`, or until `stop`.
  void SetLimits(uint64_t nodes, Time deadline, const std::atomic<bool>* stop);

  // Decides if the attacker mates, for either side to move; `proof` gets plies and move of a mate.
  // kUnknown at a limit.
  MateVerdict Prove(Position& position, MateKnowledge& proof);
  // The table's entry of it.
  MateKnowledge Look(const Position& position) const {
    return table_.Look(position.placement_key(), MateHand(position.hand(attacker_)));
  }

  uint64_t nodes() const { return nodes_; }

 private:
  static constexpr int kMostPlies = 2000;
  static constexpr size_t kLoopEntries = size_t{1} << 15;
  // Marks a result that rests on no repetition. Other values are the path's node that comes back,
  // the one nearest to the root if there are several.
  static constexpr int kNoLoop = std::numeric_limits<int>::max();

  // A move of a node that is being searched.
  struct Child {
    Move move;
    // The next of a chain of similar moves, of which each comes into question only when those
    // before it have failed; 0 if there is none.
    uint16_t next = 0;
    bool waits = false;  // for those before it
    bool old = false;    // met before, nearer to the root
    bool expanded = false;
    uint16_t plies = 0;
    MateNumber win = 1;
    MateNumber loss = 1;
    MateHand hand;
    int loop = kNoLoop;
  };
  struct Outcome {
    MateNumber win = 1;
    MateNumber loss = 1;
    MateHand hand;  // proof or disproof hand
    int plies = 0;
    int loop = kNoLoop;
    Move move;
  };
  struct PathNode {
    uint64_t placement;
    MateHand hand;
    uint64_t key;  // of all positions from the root on, in order
  };
  // A disproof that holds on one path alone (A. Kishimoto and M. Mueller, "A General Solution to
  // the Graph History Interaction Problem", 2004).
  struct LoopEntry {
    uint64_t key = 0;
    uint32_t begun = 0;  // of another search: empty
    int loop = 0;
  };
  struct Tally {
    size_t best = 0;
    MateNumber win = kInfiniteNumber;
    MateNumber second = kInfiniteNumber;  // win of the best but one
    MateNumber loss = 0;
    MateNumber open = 0;
    bool old = false;
  };

  bool Attacks(const Position& position) const { return position.side_to_move() == attacker_; }
  // False once a limit is reached.
  bool CountNode();
  Outcome Search(Position& position, int ply, MateNumber win_limit, MateNumber loss_limit,
                 bool& deepen, bool expanded);
  // Appends the node's moves to children_ and looks at those that do not wait.
  void Expand(Position& position, int ply);
  void Chain(const Position& position, size_t first);
  // Plays the move and looks what is known of the position after it.
  void Meet(Position& position, Child& child, int ply);
  // Meets the moves that `child` kept waiting, if it has failed.
  void Release(Position& position, size_t first, size_t child, int ply);
  MateKnowledge Judge(Position& position, int ply, int& loop);
  MateKnowledge JudgeAttack(Position& position, MateKnowledge open);
  MateKnowledge JudgeDefence(Position& position, MateKnowledge open);
  Tally Count(size_t first) const;
  Outcome Decide(const Position& position, size_t first, const Tally& tally, int ply) const;
  // `won`: a move that wins.
  Outcome Win(const Position& position, size_t first, size_t won) const;
  Outcome Loss(const Position& position, size_t first) const;
  void Keep(const PathNode& node, const Outcome& outcome, bool attacks, uint64_t amount, int ply);

  Color attacker_ = kBlack;
  MateTable table_;
  std::vector<LoopEntry> loops_;
  std::vector<PathNode> path_;
  std::vector<Child> children_;  // of all nodes of the path, one after the other
  uint32_t begun_ = 0;
  uint64_t nodes_ = 0;
  uint64_t node_limit_ = 0;
  Time deadline_ = Time::max();
  const std::atomic<bool>* stop_ = nullptr;
  bool stopped_ = false;
};

}  // namespace joseki::shogi
