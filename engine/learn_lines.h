#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki {

// A game, or the beginning of one, that weights are learned from.
struct PlayedLine {
  shogi::Position start;
  std::vector<Move> moves;
};

// Reads a line as in USI's "position", with that word or without it. InvalidArgument for what is no
// position or no legal move.
absl::StatusOr<PlayedLine> ReadPlayedLine(std::string_view text);

// Reads every line of every file, but for empty ones; a faulty line is an error that names its
// place.
absl::StatusOr<std::vector<PlayedLine>> ReadPlayedLines(const std::vector<std::string>& files);

}  // namespace joseki
