#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "engine/core/rules.h"

namespace joseki::book {

// Rules that remove moves from a book; a move goes if any of them applies.
struct PruneRules {
  int64_t min_games = 0;  // moves with fewer games and counts of books
  double min_share = 0;   // moves with a smaller share of the games and counts of their position
  std::optional<int> max_loss;  // moves more centipawns than this below the best of their position
  int plies = 0;                // moves of positions at this ply or later; 0: none
  bool reachable = false;       // moves of positions that the remaining lines do not reach
};

struct PrunedMove {
  PackedPosition packed;
  int ply = 1;
  Move move;
};

struct PruneReport {
  int64_t positions = 0;              // removed
  int64_t moves = 0;                  // removed
  int64_t kept = 0;                   // moves that a rule matched and the user's edit protects
  int64_t left = 0;                   // positions in the book afterwards
  std::vector<PrunedMove> gone = {};  // the moves, by ply and position
};

// Removes moves from the book permanently, in one transaction; `try_only` only reports what would
// go. Moves that the user marked, annotated or added by hand stay. Runs keep the book as it was.
absl::StatusOr<PruneReport> Prune(Store& store, const Rules& rules, const PruneRules& prune,
                                  bool try_only);

}  // namespace joseki::book
