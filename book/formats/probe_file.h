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

// The probe file: a book to be asked for single positions, immutable, named by the SHA-256 of its
// bytes (docs/reference/formats.md). Opening it reads its header and no more, however large it is;
// asking touches three or four pages.

// True if `bytes` begin like such a file.
bool IsProbeFile(std::string_view bytes);
// The game that the header names; empty where it names none.
std::string GameOfProbeFile(std::string_view bytes);

// Writes such a file piece by piece: Head, then the contents that Add has put into `index`, then
// those of `moves`. It is of the game of its first position.
class ProbeFileWriter {
 public:
  // `at_most`: no more positions than these will be added.
  explicit ProbeFileWriter(uint64_t at_most);

  // Moves in canonical order, and no more of them than the format has room for.
  static void Prepare(DbPosition& position);
  // REQUIRES: prepared, ascending by ProbeFileKey, each once.
  void Add(const DbPosition& position, std::string& index, std::string& moves);
  // Once all is added.
  std::string Head() const;

 private:
  const uint32_t bits_;  // of begins_; the file's are these or fewer
  std::string_view game_ = "shogi";
  uint64_t positions_ = 0;
  uint64_t moves_ = 0;
  std::vector<uint32_t> begins_;  // the first position of each bucket up to the last added
};

// The key by which the positions of such a file ascend, compared byte by byte.
std::string ProbeFileKey(const PackedPosition& packed);

// The canonical form (Canonicalise): the same positions are the same bytes. Values are held within
// 32000 either way, depths and moves of a position to 65535, counts to 2^32 - 1. REQUIRES: fewer
// than 2^32 positions and moves.
std::string WriteProbeFile(std::vector<DbPosition> positions);

// Asks the bytes of a probe file where they lie. They are foreign: every offset is checked when it
// is used, so that damaged bytes give wrong answers or none, and nothing worse. A move need not be
// legal. Thread-safe.
class ProbeView {
 public:
  ProbeView() = default;  // of a book without positions
  // InvalidArgument "unknown_version", for a book of another game too, or "bad_size" where the
  // header's counts are not the bytes'.
  static absl::StatusOr<ProbeView> Of(std::string_view bytes, std::string_view file,
                                      std::string_view game = "shogi");

  struct Hit {
    uint64_t first = 0;  // of its moves
    uint32_t count = 0;
    int ply = 1;
  };
  // The position, if the book has it. No allocation.
  std::optional<Hit> Find(const PackedPosition& position) const;
  // REQUIRES: index < hit.count.
  DbMove MoveAt(const Hit& hit, uint32_t index) const;
  // The position with its moves.
  std::optional<DbPosition> Ask(const PackedPosition& position) const;

  uint64_t positions() const { return positions_; }
  uint64_t moves() const { return moves_; }
  // The position at `index` in the file's order, moves included; nullopt where its moves are not in
  // the file. REQUIRES: index < positions().
  std::optional<DbPosition> At(uint64_t index) const;

  // Checks that WriteProbeFile would have written these bytes, but for legality: order, directory,
  // every offset. InvalidArgument "bad_index" with the byte at fault.
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

// A probe file on the disk.
class ProbeFile {
 public:
  static absl::StatusOr<ProbeFile> Open(const std::string& path);
  const ProbeView& view() const { return view_; }

 private:
  ProbeFile(MappedFile file, ProbeView view) : file_(std::move(file)), view_(view) {}

  MappedFile file_;
  ProbeView view_;
};

// Streams the positions, in the file's order, as the readers of other formats do: Check first, then
// moves that are not legal and positions that cannot be are rejected ("illegal_move",
// "bad_position").
absl::Status ReadProbeFile(std::string_view bytes, std::string_view file, const DbSink& sink);

}  // namespace joseki::book
