#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/types.h"
#include "engine/shogi/mate/mate_solver.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Cuts of a mate search by depth (YSS, H. Yamashita), as a set of bits. All but the last make it
// miss mates; kLostInterpositions can also make it claim false mates.
enum MateCut : unsigned {
  kTooMuchGiven = 1,        // lines in which the attacker has sacrificed more than two rooks' worth
  kLostInterpositions = 2,  // interposed pieces that nothing guards
  kTwoThrownAway = 4,       // a sacrificial check right after one that was captured
  kDropsFromAfar = 8,  // rooks, bishops and lances dropped more than four squares from the king
  // Declined promotions of pawns, lances, rooks and bishops that lose nothing by promoting.
  kDeclinedPromotions = 16,
};

// Searches for a mate by checks alone by iterative deepening: one ply, three, five, up to a limit,
// with a table of results by depth. It finds the shortest mate. mate_solver.h is the search by
// proof numbers; docs/reference/mate-search.md compares both. Deterministic without a time limit.
class DepthMateSearch {
 public:
  explicit DepthMateSearch(size_t table_bytes);

  // Decides whether the side to move mates within `plies`, subject to limits and cuts, or until
  // `stop` (may be null). Leaves the position as it was.
  MateProbe Find(Position& position, int plies, unsigned cuts, const MateLimits& limits,
                 const std::atomic<bool>* stop = nullptr);
  // Like Find, with the line. kUnknown also if a defence that the cuts left out refutes the mate on
  // that line.
  MateResult Solve(const Position& position, int plies, unsigned cuts, const MateLimits& limits);

 private:
  using Clock = std::chrono::steady_clock;

  struct Entry {
    uint64_t check = 0;
    uint32_t begun = 0;  // number of the search; another number: empty
    uint8_t none = 0;    // no mate within this many plies
    uint8_t mate = 0;    // plies of the mate found; 0: none
    Move move;
  };
  // The attacker's costs on the path.
  struct Path {
    int given = 0;            // material sacrificed, less material captured
    bool was_thrown = false;  // the last check was a sacrifice and was captured
  };

  void Begin(const MateLimits& limits, const std::atomic<bool>* stop);
  // Returns false once a limit is reached.
  bool CountNode();
  // Plies of the mate found; 0: none.
  int Attack(Position& position, int depth, const Path& path, Move& best);
  // Plies until the defender is mated; -1: not within `depth`.
  int Defend(Position& position, int depth, const Path& path, Square checker, bool thrown);
  bool LeavesOut(const Position& position, Move check, bool thrown, const Path& path) const;
  // True if nothing guards the piece that gives `check` on its target square.
  static bool IsThrownAway(const Position& position, Move check);
  static bool IsLostInterposition(const Position& position, Move defence, Square checker);
  uint64_t KeyFor(const Position& position, const Path& path) const;

  std::vector<Entry> table_;  // size: a power of two
  uint32_t begun_ = 0;
  unsigned cuts_ = 0;
  uint64_t nodes_ = 0;
  uint64_t node_limit_ = 0;  // 0: no limit
  Clock::time_point deadline_ = Clock::time_point::max();
  const std::atomic<bool>* stop_ = nullptr;
  bool stopped_ = false;
};

}  // namespace joseki::shogi
