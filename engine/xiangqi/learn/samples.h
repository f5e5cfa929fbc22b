#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"

// Training data for the evaluation: quiet positions of games, each with the game's result and, if
// requested, a search score.
namespace joseki::xiangqi {

struct Sample {
  PackedPosition position;
  int game = 0;                  // number of its game, from 0
  std::optional<double> result;  // of the game, for Red: 1, 0.5 or 0; nullopt after random moves
  std::optional<double> score;   // of a search, for Red
};

// Selection of samples.
struct Sampling {
  int every = 4;  // plies of a game between samples
  int first_ply = 8;
  // Every second sample gets up to this many random moves, which leave pieces hanging and unbalance
  // the position. Such samples need a search, since the game's result says nothing about them.
  int random_moves = 0;
  uint64_t search_nodes = 0;  // nodes of the search for the score; 0: no search
};

// Samples are the quiet positions at which quiescence searches from the games' positions end.
// `path` is a file of lines "startpos moves ..." with a .meta.tsv beside it for the results; games
// without one are skipped. Games are numbered from `first_game`. Deterministic.
absl::StatusOr<std::vector<Sample>> ReadSamples(const std::string& path, const Sampling& sampling,
                                                int first_game);

// Writes samples as text, one on each line, for later fits.
absl::Status WriteSamples(const std::string& path, const std::vector<Sample>& samples);
absl::StatusOr<std::vector<Sample>> LoadSamples(const std::string& path);

}  // namespace joseki::xiangqi
