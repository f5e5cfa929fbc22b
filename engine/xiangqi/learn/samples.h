#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"

// Material for learning the evaluation: quiet positions of games, each with the game's result and,
// if a search was asked for, its value.
namespace joseki::xiangqi {

struct Sample {
  PackedPosition position;
  int game = 0;                  // the number of its game, from 0
  std::optional<double> result;  // of the game, for Red: 1, 0.5 or 0; none after random moves
  std::optional<double> score;   // of a search, for Red
};

// Selection of samples.
struct Sampling {
  int every = 4;  // plies of a game from one sample to the next
  int first_ply = 8;
  // Every second sample has up to this many random moves behind its position, so that pieces hang
  // and the balance is upset. These need a search: the game's result says nothing of them.
  int random_moves = 0;
  uint64_t search_nodes = 0;  // for the score; 0: none
};

// The quiet positions that quiescence searches from positions of the games end in. `path` is a file
// of lines "startpos moves ..." beside which a .meta.tsv tells the results; games without one are
// left out. Games are numbered on from `first_game`. Deterministic.
absl::StatusOr<std::vector<Sample>> ReadSamples(const std::string& path, const Sampling& sampling,
                                                int first_game);

// Samples as text, one a line, to be fitted again otherwise.
absl::Status WriteSamples(const std::string& path, const std::vector<Sample>& samples);
absl::StatusOr<std::vector<Sample>> LoadSamples(const std::string& path);

}  // namespace joseki::xiangqi
