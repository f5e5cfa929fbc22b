#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// A row of a table of counts: the decided games that continued with a move, and their results for
// the side that played it.
struct CountedMove {
  int line = 0;  // in the file, from 1
  PackedPosition packed;
  int ply = 1;
  Move move;
  int64_t wins = 0;
  int64_t losses = 0;

  int64_t games() const { return wins + losses; }
};

// True if `text` begins like such a table.
bool IsCountedMoves(std::string_view text);

// Reads tab-separated text whose first line names the columns. Required are sfen, move,
// child_black_wins and child_white_wins: games by winner through the position after the move. Other
// columns are ignored. `reject` gets a problem with file and line for each skipped line.
// "bad_table" if a required column is missing.
absl::Status ReadCountedMoves(std::string_view text, std::string_view file,
                              const std::function<void(const CountedMove&)>& accept,
                              const std::function<void(absl::Status)>& reject);

}  // namespace joseki::book
