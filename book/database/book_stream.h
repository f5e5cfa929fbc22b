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

// A book written without being in memory: its positions come in any order and more than once, are
// sorted on the disk by what the format orders them by, merged as Canonicalise does, and written.
// The bytes are those that the format's own writer gives, whatever the bound.
class BookStream {
 public:
  // The formats that refer from no position to another: .db, .ybb, the probe file and JSON.
  static bool Writes(book::BookFormat format);

  // REQUIRES: Writes(format). What memory has no room for goes to files without a name in `folder`.
  BookStream(book::BookFormat format, std::string folder, size_t memory);

  absl::Status Add(const book::DbPosition& position);

  struct Written {
    int64_t positions = 0;
    uint64_t bytes = 0;
    Sha256 sha256{};
  };
  // Puts the file there, all or nothing. `visit` sees each position as it is written, before the
  // format cuts off what it has no room for. To be called once.
  absl::StatusOr<Written> Finish(const std::string& path,
                                 const std::function<void(const book::DbPosition&)>& visit);

 private:
  std::string KeyOf(const PackedPosition& packed) const;

  const book::BookFormat format_;
  const std::string folder_;
  SortedRecords sorted_;
  uint64_t added_ = 0;
  bool has_depth_ = false;
  std::string value_;  // of the record that is made
};

}  // namespace joseki::book
