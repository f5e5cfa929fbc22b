#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/sorted_records.h"
#include "book/formats/book_file.h"
#include "book/formats/position.h"

namespace joseki::book {

// Writes a book without holding it in memory. Positions may come in any order and more than once.
// They are sorted on disk by the format's order, merged as Canonicalise does, and written. The
// bytes equal those of the format's own writer, whatever the memory bound.
class BookStream {
 public:
  // True for formats without references between positions: .db, .ybb, the probe file and JSON.
  static bool Writes(book::BookFormat format);

  // REQUIRES: Writes(format). Content beyond `memory` bytes goes to unnamed files in `folder`.
  BookStream(book::BookFormat format, std::string folder, size_t memory);

  absl::Status Add(const book::DbPosition& position);

  struct Written {
    int64_t positions = 0;
    uint64_t bytes = 0;
    Sha256 sha256{};
  };
  // Writes the file atomically to `path`. `visit` sees each position as it is written, before the
  // format drops what it cannot hold. Call at most once.
  absl::StatusOr<Written> Finish(const std::string& path,
                                 const std::function<void(const book::DbPosition&)>& visit);

 private:
  std::string KeyOf(const PackedPosition& packed) const;

  const book::BookFormat format_;
  const std::string folder_;
  SortedRecords sorted_;
  uint64_t added_ = 0;
  bool has_depth_ = false;
  std::string value_;  // value of the record being built
};

}  // namespace joseki::book
