#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// A row of a table of counts: the number of decided games that went on with a move, and their
// results for the side that played it.
struct CountedMove {
  int line = 0;  // of the file, from 1
  PackedPosition packed;
  int ply = 1;
  Move move;
  int64_t wins = 0;
  int64_t losses = 0;

  int64_t games() const { return wins + losses; }
};

// True if the text begins like such a table.
bool IsCountedMoves(std::string_view text);

// Tab-separated text whose first line names the columns. Required are sfen, move, child_black_wins
// and child_white_wins (games by winner, through the position after the move); others are skipped.
// `reject` gets one problem, with file and line, for each line left out. An error ("bad_table") if
// the first line lacks a column.
absl::Status ReadCountedMoves(std::string_view text, std::string_view file,
                              const std::function<void(const CountedMove&)>& accept,
                              const std::function<void(absl::Status)>& reject);

}  // namespace joseki::book
