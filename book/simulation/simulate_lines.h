#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "book/simulation/line_world.h"
#include "book/simulation/simulate.h"
#include "book/tuning/repertoire_rules.h"
#include "book/tuning/trial.h"

namespace joseki::book {

// Searches of lines in synthetic games (line_world.h), by the real Repertoire. Nodes are paid as
// runs pay them (kGameMoves, book/tuning/trial.h).
struct LineSimulation {
  LineWorldOptions world;
  RepertoireRules rules;                    // reply_nodes: the run's limit for each move
  std::vector<uint64_t> budgets = {5'000};  // in games, ascending
  // Percent of the budget that searches get, and of their nodes that trials get.
  uint32_t share = 90;
  uint32_t trial_share = kTrialShare;
  uint32_t match_games = 2'000;  // of each match, half of them with each colour
};

// A book after a budget. The first four numbers are its Elo against opponents that have no book
// once they leave it. `input` and `equal` play the input book, by its shares and evenly; `bookless`
// is the engine without a book. In `patient_input` the opponent plays by shares, and both sides
// have ten times the nodes.
struct LineBook {
  double input = 0;
  double equal = 0;
  double bookless = 0;
  double patient_input = 0;
  size_t lines = 0;              // searched and tried
  size_t answers = 0;            // positions with an answer
  double own_moves = 0;          // of the book in a game against `input`
  double patient_own_moves = 0;  // the same against `patient_input`
};
// Simulates one run; a book for each budget. Pure.
absl::StatusOr<std::vector<LineBook>> SimulateLines(const LineSimulation& options, uint64_t seed);

// Means over books of the seeds seed, seed + 1, ..., one run each, on `threads` threads. The result
// does not depend on their number. REQUIRES: books > 0, threads > 0.
struct LineBooks {
  uint64_t budget = 0;
  Mean input;
  Mean equal;
  Mean bookless;
  Mean patient_input;
  Mean lines;
  Mean answers;
  Mean own_moves;
  Mean patient_own_moves;
};
absl::StatusOr<std::vector<LineBooks>> SimulateLineBooks(const LineSimulation& options,
                                                         uint64_t seed, uint32_t books,
                                                         uint32_t threads);

}  // namespace joseki::book
