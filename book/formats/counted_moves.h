#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// What a table of counts says of one move: how many decided games went on with it, and how they
// went for the side that played it.
struct CountedMove {
  int line = 0;  // of the file, from 1
  PackedPosition packed;
  int ply = 1;
  Move move;
  int64_t wins = 0;
  int64_t losses = 0;

  int64_t games() const { return wins + losses; }
};

// Whether the text begins as such a table does.
bool IsCountedMoves(std::string_view text);

// Tab-separated text whose first line names the columns; needed are sfen, move, child_black_wins
// and child_white_wins (games by who won them, through the position after the move), others are
// passed over. `reject` gets one problem, with file and line, for each line left out. An error
// ("bad_table") where the first line lacks a column.
absl::Status ReadCountedMoves(std::string_view text, std::string_view file,
                              const std::function<void(const CountedMove&)>& accept,
                              const std::function<void(absl::Status)>& reject);

}  // namespace joseki::book
