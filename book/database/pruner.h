#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "engine/core/rules.h"

namespace joseki::book {

// Rules by which moves leave a book; each takes moves out by itself.
struct PruneRules {
  int64_t min_games = 0;        // moves with fewer games and counts of books
  double min_share = 0;         // with a smaller part of the games and counts of their position
  std::optional<int> max_loss;  // moves this many centipawns below the position's best
  int plies = 0;                // of positions at this ply and later; 0: none
  bool reachable = false;       // of positions that no line of what is left leads to
};

struct PruneReport {
  int64_t positions = 0;  // gone
  int64_t moves = 0;      // gone
  int64_t kept = 0;       // that a rule would take, but the user's hand was on them
  int64_t left = 0;       // positions in the book now
};

// Takes moves out of the book for good, in one transaction; with `try_only` says what would go.
// What the user marked, annotated or added by hand stays. Runs, which have the book as it was, are
// not touched.
absl::StatusOr<PruneReport> Prune(Store& store, const Rules& rules, const PruneRules& prune,
                                  bool try_only);

}  // namespace joseki::book
