#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/core/types.h"

namespace joseki::book {

// YANEURAOU-DB2016 1.00, the text book of YaneuraOu (docs/formats.md).

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
  int line = 0;  // of its sfen line
  PackedPosition packed;
  int ply = 1;
  std::vector<DbMove> moves;  // every one legal there
};

struct DbSink {
  std::function<void(DbPosition)> accept;
  // One problem, with file and line, for each thing left out: a position ("bad_board" and
  // ParseSfen's other codes, "no_moves"), a move ("malformed_move", "illegal_move"), the expected
  // reply of a move that is kept ("illegal_ponder"), or all that stands before the first position
  // ("bad_line").
  std::function<void(absl::Status)> reject;
};

// Streams the positions of a book, in its order; one that it gives twice comes twice. A move given
// twice for a position comes once: the later line holds, the counts add up. Comments are passed
// over. Fails as a whole ("unknown_version") only if the first line is the magic of another
// version; a missing magic is accepted.
absl::Status ReadYaneuraouDb(std::istream& in, std::string_view file, const DbSink& sink);

// Writes the canonical form: each position once (as above; the smallest ply is kept), positions
// sorted bytewise by their SFEN with ply, moves by value, depth and count descending, then by text;
// LF, no blank lines, every column filled.
std::string WriteYaneuraouDb(std::vector<DbPosition> positions);

}  // namespace joseki::book
