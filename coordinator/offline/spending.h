#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/tuning/settling.h"
#include "coordinator/model/messages.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The positions where a run's games go, and the possible gain of further ones
// (book/tuning/spending.h).
struct SpendingReport {
  struct Position {
    std::string position;  // text
    int ply = 1;           // that is played there, counted from 1
    // The shortest line from the run's start; nullopt: only moves that the book lacks lead there.
    std::optional<std::vector<Move>> line;
    uint64_t games = 0;  // different ones
    uint64_t repeats = 0;
    uint64_t recent = 0;
    std::string standing;        // book::Name
    std::optional<Move> answer;  // of the exported book; nullopt: it ends there
    double gain = 0;
  };
  RunId run = 0;
  uint64_t commit_seq = 0;    // of the last game counted
  uint64_t games = 0;         // different ones
  uint64_t recent_games = 0;  // number that counts as recent: games of the stage, or the last
                              // kRecentGames
  uint64_t positions = 0;     // with more than one move
  uint64_t reached = 0;
  uint64_t settled = 0;
  book::Settling rule;  // the run's; if it settles nothing, an error of 0.05
  double left = 0;      // Prospects::Left
  double gain = 0;      // expected
  std::vector<Position> top;
};

inline constexpr uint64_t kRecentGames = 1000;  // of a run without stages

// Reports at most `most` positions. Reads the recent games once more; a coordinator may be writing.
// NotFound "unknown_run".
absl::StatusOr<SpendingReport> ReadSpending(book::Store& store, const Rules& rules, RunId run,
                                            size_t most);
// The overload for a run loaded from `store`.
absl::StatusOr<SpendingReport> ReadSpending(book::Store& store, const Rules& rules,
                                            const TunedRun& tuned, size_t most);

}  // namespace joseki::coordinator
