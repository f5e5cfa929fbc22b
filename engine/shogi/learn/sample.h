#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"

namespace joseki::learn {

// A position of a game with the search's score and the game's result, for the side to move.
struct Sample {
  PackedPosition position;
  int16_t score = 0;   // by the search
  Move move;           // move played
  uint16_t ply = 0;    // in the game
  int8_t result = 0;   // of the game: 1 won, 0 drawn, -1 lost
  bool quiet = false;  // the move neither captures nor promotes
};

// Size of a sample in a file: the fields in order, little-endian.
inline constexpr size_t kSampleBytes = 40;

void AppendSample(const Sample& sample, std::string& bytes);
// All samples of a file. A truncated last one is ignored, because a generator may have been killed.
absl::StatusOr<std::vector<Sample>> ReadSamples(const std::string& path);

}  // namespace joseki::learn
