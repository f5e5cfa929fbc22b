#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mapped_file.h"
#include "book/formats/position.h"
#include "engine/core/types.h"

namespace joseki::book {

// The probe file: an immutable book for looking up single positions, named by the SHA-256 of its
// bytes (docs/reference/formats.md). Opening it reads only its header, whatever its size; a lookup
// touches three or four pages.

// True if `bytes` begins like such a file.
bool IsProbeFile(std::string_view bytes);
// The game that the header names; empty if none.
std::string GameOfProbeFile(std::string_view bytes);

// Writes such a file piecewise: Head, then the content that Add put into `index`, then that of
// `moves`. Its game is that of its first position.
class ProbeFileWriter {
 public:
  // `at_most`: upper bound of the number of positions.
  explicit ProbeFileWriter(uint64_t at_most);

  // Puts moves into canonical order and drops those that exceed the format's limit.
  static void Prepare(DbPosition& position);
  // REQUIRES: prepared positions, ascending by ProbeFileKey, each once.
  void Add(const DbPosition& position, std::string& index, std::string& moves);
  // The header; call after all positions are added.
  std::string Head() const;

 private:
  const uint32_t bits_;  // bucket bits of begins_; the file uses at most these
  std::string_view game_ = "shogi";
  uint64_t positions_ = 0;
  uint64_t moves_ = 0;
  std::vector<uint32_t> begins_;  // first position of each bucket, up to that added last
};

// Key by which positions ascend in such a file, compared bytewise.
std::string ProbeFileKey(const PackedPosition& packed);

// Writes the canonical form (Canonicalise), so equal positions give equal bytes. Values are clamped
// to +-32000, depths and the moves of a position to 65535, counts to 2^32 - 1. REQUIRES: fewer than
// 2^32 positions and moves.
std::string WriteProbeFile(std::vector<DbPosition> positions);

// Looks up positions in the bytes of a probe file in place. The bytes are not trusted: every offset
// is checked on use, so damaged bytes can at worst give wrong or no answers. A move need not be
// legal. Thread-safe.
class ProbeView {
 public:
  ProbeView() = default;  // a book without positions
  // InvalidArgument "unknown_version" (also for another game), or "bad_size" if the header's counts
  // do not match the bytes.
  static absl::StatusOr<ProbeView> Of(std::string_view bytes, std::string_view file,
                                      std::string_view game = "shogi");

  struct Hit {
    uint64_t first = 0;  // index of its first move
    uint32_t count = 0;
    int ply = 1;
  };
  // The position if the book has it. Does not allocate.
  std::optional<Hit> Find(const PackedPosition& position) const;
  // REQUIRES: index < hit.count.
  DbMove MoveAt(const Hit& hit, uint32_t index) const;
  // The position with its moves; nullopt if the book lacks it.
  std::optional<DbPosition> Ask(const PackedPosition& position) const;

  uint64_t positions() const { return positions_; }
  uint64_t moves() const { return moves_; }
  // The position at `index` in file order, with its moves; nullopt if these lie outside the file.
  // REQUIRES: index < positions().
  std::optional<DbPosition> At(uint64_t index) const;

  // Checks that WriteProbeFile could have written these bytes, legality aside: order, directory and
  // every offset. InvalidArgument "bad_index" naming the byte at fault.
  absl::Status Check(std::string_view file) const;

 private:
  std::optional<Hit> HitAt(uint64_t index) const;
  uint64_t BucketOf(const PackedPosition& position) const;

  std::string_view bytes_;
  uint32_t directory_bits_ = 0;
  uint64_t positions_ = 0;
  uint64_t moves_ = 0;
  size_t entries_at_ = 0;
  size_t moves_at_ = 0;
};

// A probe file on disk.
class ProbeFile {
 public:
  static absl::StatusOr<ProbeFile> Open(const std::string& path);
  const ProbeView& view() const { return view_; }

 private:
  ProbeFile(MappedFile file, ProbeView view) : file_(std::move(file)), view_(view) {}

  MappedFile file_;
  ProbeView view_;
};

// Streams the positions in file order, as the readers of other formats do. Calls Check first, then
// rejects illegal moves and impossible positions ("illegal_move", "bad_position").
absl::Status ReadProbeFile(std::string_view bytes, std::string_view file, const DbSink& sink);

}  // namespace joseki::book
