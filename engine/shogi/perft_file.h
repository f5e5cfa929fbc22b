#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// One position of a perft file and what is known of it.
struct PerftRow {
  int line = 0;
  std::string sfen;
  Position position;
  int depth = 1;
  uint64_t nodes = 0;  // by the full rules: every non-promotion counts, no mate by a dropped pawn
  std::vector<Move> moves;  // of a list
};

struct PerftFile {
  // Lists name moves, and leave out pointless non-promotions as many engines do; else counts.
  bool lists = false;
  std::vector<PerftRow> rows;
};

// Reads tab-separated text with a header: the columns sfen, depth and nodes, or sfen, n and moves
// (USI, divided by blanks), in any order; others are passed over. `path` is for problems only,
// which name the line; every row is read before any is believed.
absl::StatusOr<PerftFile> ParsePerftFile(std::string_view text, std::string_view path);

// What is wrong with the list of `row` by our rules, in words; "" if nothing. A legal move may be
// missing from it if its promotion is there. With `checks` the list is of the checking moves only.
std::string FaultOfList(const PerftRow& row, bool checks);

}  // namespace joseki::shogi
