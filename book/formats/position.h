#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// Fields of a move and of a position in the book files of programs; a format that has no place for
// a field leaves its default.

struct DbMove {
  Move move;
  Move ponder;  // Move() for none
  int value = 0;
  int depth = 0;
  uint64_t count = 1;
  bool has_value = false;
  bool has_depth = false;
};

struct DbPosition {
  int line = 0;  // of its sfen line, or the number of its first record, from 1
  PackedPosition packed;
  int ply = 1;
  std::vector<DbMove> moves;  // every one legal there
};

struct DbSink {
  std::function<void(DbPosition)> accept;
  // One problem, with file and line (or number of the record), for each thing left out; its code
  // says which.
  std::function<void(absl::Status)> reject;
};

// The largest count of a move. That of every move of a position together is still a number, here
// and in a database, and a reader of JSON takes it exactly.
inline constexpr uint64_t kMostDbCount = (uint64_t{1} << 53) - 1;

// The sum of two counts, at most kMostDbCount.
uint64_t SumOfCounts(uint64_t a, uint64_t b);

// A move given twice for one position comes once: the later one holds, the counts add up.
void AddMove(std::vector<DbMove>& moves, const DbMove& move);

// Takes what another entry of the same position says: its moves by AddMove, the smaller ply.
void AddPosition(DbPosition& position, const DbPosition& more);

// By value, depth and count descending, then by text: the canonical order.
void SortMoves(std::vector<DbMove>& moves);

// Ascending by packed form, each position once (its moves as above, the smallest ply), the moves of
// each by value, depth and count descending, then by text; positions without moves are left out.
void Canonicalise(std::vector<DbPosition>& positions);

}  // namespace joseki::book
