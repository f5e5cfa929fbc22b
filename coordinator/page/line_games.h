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

// An exit: a move of the engine at this position, where the book's line ended. The results of those
// games are from the side that made it.
struct Exit {
  Move move;
  uint64_t wins = 0;
  uint64_t draws = 0;
  uint64_t losses = 0;
};

// The recent games of a run that went through a line.
struct LineGames {
  uint64_t looked_at = 0;       // the newest games of the run
  uint64_t passed = 0;          // of these, those through the line
  std::vector<Exit> exits;      // most games first
  std::vector<GameRow> sample;  // newest first
};

// Reads the run's games with commit_seq > `after`, so that the cost does not grow with the run; it
// ends at the game of `last`, so that it does not grow with later runs.
// `mover`: the side to move at the end of the line. Faults are in the sample, but in no exit.
absl::StatusOr<LineGames> ReadLineGames(book::Store& store, RunId run,
                                        const std::vector<Move>& line, Color mover, uint64_t after,
                                        uint64_t last, size_t most_samples);

}  // namespace joseki::coordinator
