#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// YANE-BINBOOK-V1, the binary book of YaneuraOu (docs/reference/formats.md): positions with
// smallest ply, and for each move value and depth. Expected replies and counts cannot be stored.

// True if `bytes` begins like such a book.
bool IsYbb(std::string_view bytes);

// Streams the positions in file order. Fails as a whole, naming the byte at fault, for an invalid
// header or index: "unknown_version", "bad_size" or "bad_index". In a valid index positions ascend,
// and moves lie within the file. Rejects positions ("bad_position") and moves ("illegal_move").
absl::Status ReadYbb(std::string_view bytes, std::string_view file, const DbSink& sink);

// Writes such a book piecewise: Head, then the content that Add put into `index`, then that of
// `moves`.
class YbbWriter {
 public:
  // `has_depth`: moves have depths.
  explicit YbbWriter(bool has_depth) : has_depth_(has_depth) {}

  // Clamps the position to the format's ranges and puts its moves into canonical order.
  static void Prepare(DbPosition& position);
  // REQUIRES: prepared positions, ascending by packed form, each once.
  void Add(const DbPosition& position, std::string& index, std::string& moves);
  // The header; call after all positions are added.
  std::string Head() const;

 private:
  const bool has_depth_;
  uint64_t positions_ = 0;
  uint64_t offset_ = 0;
};

// Writes the canonical form (Canonicalise); moves follow in the order of the index. Values are
// clamped to +-32000, depths to 0 to 65535. Depths are written if any move has one; a position has
// at most 65535 moves.
std::string WriteYbb(std::vector<DbPosition> positions);

}  // namespace joseki::book
