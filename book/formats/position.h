#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// Fields of a move and a position in the book files of programs. A format without a field leaves
// its default.

struct DbMove {
  Move move;
  Move ponder;  // Move(): none
  int value = 0;
  int depth = 0;
  uint64_t count = 1;
  bool has_value = false;
  bool has_depth = false;
};

// What a book knows of a position, whatever the counts of its moves are made to be: by games, then
// by nodes.
struct Known {
  uint64_t games = 0;  // trials and imported counts among them
  uint64_t nodes = 0;  // that searched it
  auto operator<=>(const Known&) const = default;
};

struct DbPosition {
  int line = 0;  // of its sfen line, or the number of its first record; from 1
  PackedPosition packed;
  int ply = 1;
  std::vector<DbMove> moves;  // all legal
  Known known;                // for a format that keeps the moves of one of two positions
};

struct DbSink {
  std::function<void(DbPosition)> accept;
  // Receives one problem, with file and line (or number of the record), for each item left out. Its
  // code says which item.
  std::function<void(absl::Status)> reject;
};

// Largest count of a move. The sum over the moves of a position still fits our types and a
// database, and JSON readers represent the count exactly.
inline constexpr uint64_t kMostDbCount = (uint64_t{1} << 53) - 1;

// The sum of two counts, clamped to kMostDbCount.
uint64_t SumOfCounts(uint64_t a, uint64_t b);

// Adds a move. If the position has it already, the later fields replace the earlier ones and the
// counts are summed.
void AddMove(std::vector<DbMove>& moves, const DbMove& move);

// Merges another entry of the same position: its moves by AddMove, what it knows, and the smaller
// ply.
void AddPosition(DbPosition& position, const DbPosition& more);

// Canonical order, strongest move first, for engines that play the first one: by value, depth and
// count descending, then by the text that orders shogi's moves, which orders the squares of other
// games as well.
bool GoesBefore(const DbMove& a, const DbMove& b);
void SortMoves(std::vector<DbMove>& moves);

// Sorts positions by packed form and merges equal ones (moves by AddMove, smallest ply). Moves get
// canonical order (SortMoves); positions without moves are removed.
void Canonicalise(std::vector<DbPosition>& positions);

}  // namespace joseki::book
