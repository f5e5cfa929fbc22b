#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// YANE-BINBOOK-V1, the binary book of YaneuraOu (docs/reference/formats.md): position, smallest
// ply, and of each move value and depth. Expected replies and counts have no place in it.

// True if `bytes` begin like such a book.
bool IsYbb(std::string_view bytes);

// Streams the positions in the file's order. Fails as a whole, with the byte at fault in the
// problem, where header or index do not hold ("unknown_version", "bad_size", "bad_index": positions
// ascend, moves lie within the file). Rejected are positions ("bad_position") and moves
// ("illegal_move").
absl::Status ReadYbb(std::string_view bytes, std::string_view file, const DbSink& sink);

// Writes such a book piece by piece: Head, then the contents that Add has put into `index`, then
// those of `moves`.
class YbbWriter {
 public:
  // `has_depth`: moves have a depth.
  explicit YbbWriter(bool has_depth) : has_depth_(has_depth) {}

  // Holds the position within what the format has room for, its moves in canonical order.
  static void Prepare(DbPosition& position);
  // REQUIRES: prepared, ascending by packed form, each once.
  void Add(const DbPosition& position, std::string& index, std::string& moves);
  // Once all is added.
  std::string Head() const;

 private:
  const bool has_depth_;
  uint64_t positions_ = 0;
  uint64_t offset_ = 0;
};

// The canonical form (Canonicalise), moves of one position after the other in the order of the
// index. Values are held within 32000 either way, depths within 0 to 65535. Depths are written if
// any move has one; a position has at most 65535 moves.
std::string WriteYbb(std::vector<DbPosition> positions);

}  // namespace joseki::book
