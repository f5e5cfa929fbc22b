#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/run_store.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// The engine's moves where the book's line ended with this position: the exit and how those
// games ended, seen from the side that made it.
struct Exit {
  Move move;
  uint64_t wins = 0;
  uint64_t draws = 0;
  uint64_t losses = 0;
};

// The late games of a run that went through a line.
struct LineGames {
  uint64_t looked_at = 0;       // games of the run, the newest ones
  uint64_t passed = 0;          // of these, through the line
  std::vector<Exit> exits;      // most games first
  std::vector<GameRow> sample;  // newest first
};

// Looks at the run's games with commit_seq > `after`, so that the cost does not grow with the run;
// `mover` is to move at the end of the line. Faults are in the sample and in no exit.
absl::StatusOr<LineGames> ReadLineGames(book::Store& store, RunId run,
                                        const std::vector<Move>& line, Color mover, uint64_t after,
                                        size_t most_samples);

}  // namespace joseki::coordinator
