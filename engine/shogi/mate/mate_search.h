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

// The search of MateSolver: proves or disproves single positions; the solver builds lines.
//
// A node's numbers are those of its side to move. `win` is the work left until that side reaches
// its goal (mate for the attacker, no mate for the defender), `loss` until it fails. One code thus
// serves both sides:
//   win = smallest win of its moves, loss = largest loss + number of open moves - 1
// (the latter after T. Ueda et al., "Weak Proof-Number Search", 2008: a sum would count a position
// once for each path to it).
class MateSearch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit MateSearch(size_t table_bytes) : table_(table_bytes), loops_(kLoopEntries) {}

  // Clears all results. `attacker` is the mating side.
  void Begin(Color attacker);
  // Sets the limits: total `nodes`, `deadline`, and `stop`.
  void SetLimits(uint64_t nodes, Time deadline, const std::atomic<bool>* stop);

  // Decides whether the attacker mates, with either side to move; `proof` receives plies and move
  // of a mate. kUnknown at a limit.
  MateVerdict Prove(Position& position, MateKnowledge& proof);
  // The table's knowledge of the position.
  MateKnowledge Look(const Position& position) const {
    return table_.Look(position.placement_key(), MateHand(position.hand(attacker_)));
  }

  uint64_t nodes() const { return nodes_; }

 private:
  static constexpr int kMostPlies = 2000;
  static constexpr size_t kLoopEntries = size_t{1} << 15;
  // Marks a result that depends on no repetition. Other values are the index of the repeated node
  // on the path; of several, the one nearest to the root.
  static constexpr int kNoLoop = std::numeric_limits<int>::max();

  // A move of a node that is being searched.
  struct Child {
    Move move;
    // Index of the next move in a chain of similar moves; 0: none. Each is considered only when
    // those before it have failed.
    uint16_t next = 0;
    bool waits = false;  // for the moves before it in the chain
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
    uint64_t key;  // of all positions from the root to here, in order
  };
  // A disproof that holds on a single path only (A. Kishimoto and M. Mueller, "A General Solution
  // to the Graph History Interaction Problem", 2004).
  struct LoopEntry {
    uint64_t key = 0;
    uint32_t begun = 0;  // number of the search; another number: empty
    int loop = 0;
  };
  struct Tally {
    size_t best = 0;
    MateNumber win = kInfiniteNumber;
    MateNumber second = kInfiniteNumber;  // second-smallest win of the moves
    MateNumber loss = 0;
    MateNumber open = 0;
    bool old = false;
  };

  bool Attacks(const Position& position) const { return position.side_to_move() == attacker_; }
  // Returns false once a limit is reached.
  bool CountNode();
  Outcome Search(Position& position, int ply, MateNumber win_limit, MateNumber loss_limit,
                 bool& deepen, bool expanded);
  // Appends the node's moves to children_ and looks up those that do not wait.
  void Expand(Position& position, int ply);
  void Chain(const Position& position, size_t first);
  // Plays the move and looks up the position after it.
  void Meet(Position& position, Child& child, int ply);
  // If `child` has failed, looks up the moves that waited for it.
  void Release(Position& position, size_t first, size_t child, int ply);
  MateKnowledge Judge(Position& position, int ply, int& loop);
  MateKnowledge JudgeAttack(Position& position, MateKnowledge open);
  MateKnowledge JudgeDefence(Position& position, MateKnowledge open);
  Tally Count(size_t first) const;
  Outcome Decide(const Position& position, size_t first, const Tally& tally, int ply) const;
  // `won`: index of a winning move.
  Outcome Win(const Position& position, size_t first, size_t won) const;
  Outcome Loss(const Position& position, size_t first) const;
  void Keep(const PathNode& node, const Outcome& outcome, bool attacks, uint64_t amount, int ply);

  Color attacker_ = kBlack;
  MateTable table_;
  std::vector<LoopEntry> loops_;
  std::vector<PathNode> path_;
  std::vector<Child> children_;  // of all nodes on the path, contiguous by node
  uint32_t begun_ = 0;
  uint64_t nodes_ = 0;
  uint64_t node_limit_ = 0;
  Time deadline_ = Time::max();
  const std::atomic<bool>* stop_ = nullptr;
  bool stopped_ = false;
};

}  // namespace joseki::shogi
