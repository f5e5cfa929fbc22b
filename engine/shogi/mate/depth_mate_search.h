#pragma once

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
// miss mates; kLostInterpositions also lets it claim some that are none.
enum MateCut : unsigned {
  kTooMuchGiven = 1,        // lines in which the attacker has given up more than two rooks' worth
  kLostInterpositions = 2,  // what is put between and nothing guards
  kTwoThrownAway = 4,       // a check that is thrown away right after one that was, and was taken
  kDropsFromAfar = 8,  // rooks, bishops and lances dropped more than four squares from the king
  kDeclinedPromotions = 16,  // of pawns, lances, rooks and bishops that lose nothing by promoting
};

// Looks for a mate by checks alone the older way: to a depth of one ply, of three, of five, up to a
// limit, with a table of what was found at which depth. It finds the shortest mate. The other one
// (mate_solver.h) goes by proof numbers; docs/reference/mate-search.md has both side by side. The
// same calls give the same results everywhere, without a time limit.
class DepthMateSearch {
 public:
  explicit DepthMateSearch(size_t table_bytes);

  // Decides if the side to move mates within `plies`, within the limits and the cuts. Leaves the
  // position as it was.
  MateProbe Find(Position& position, int plies, unsigned cuts, const MateLimits& limits);
  // Decides it with the line. A mate that a defence left out by the cuts refutes on that line is
  // none: then the verdict is kUnknown, as if there is no mate within `plies`.
  MateResult Solve(const Position& position, int plies, unsigned cuts, const MateLimits& limits);

 private:
  using Clock = std::chrono::steady_clock;

  struct Entry {
    uint64_t check = 0;
    uint32_t begun = 0;  // of another search: empty
    uint8_t none = 0;    // no mate within so many plies
    uint8_t mate = 0;    // plies of the mate that was found; 0: none
    Move move;
  };
  // The attacker's cost of the path.
  struct Path {
    int given = 0;            // material, less what was taken
    bool was_thrown = false;  // the last check was thrown away, and taken
  };

  void Begin(const MateLimits& limits);
  // False once a limit is reached.
  bool CountNode();
  // Plies of the mate that is found; 0: none.
  int Attack(Position& position, int depth, const Path& path, Move& best);
  // Plies until the defender is mated; -1: not within `depth`.
  int Defend(Position& position, int depth, const Path& path, Square checker, bool thrown);
  bool LeavesOut(const Position& position, Move check, bool thrown, const Path& path) const;
  // True if a piece that goes to `to` there has nothing to guard it.
  static bool IsThrownAway(const Position& position, Move check);
  static bool IsLostInterposition(const Position& position, Move defence, Square checker);
  uint64_t KeyFor(const Position& position, const Path& path) const;

  std::vector<Entry> table_;  // a power of two
  uint32_t begun_ = 0;
  unsigned cuts_ = 0;
  uint64_t nodes_ = 0;
  uint64_t node_limit_ = 0;  // 0: none
  Clock::time_point deadline_ = Clock::time_point::max();
  bool stopped_ = false;
};

}  // namespace joseki::shogi
