#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/database/spill.h"

namespace joseki::book {

// Records brought into the order of their keys, however many they are: those that `memory` bytes
// have no room for go to files without a name in `folder` as sorted chunks, merged in the end. What
// comes out is the same with any bound.
class SortedRecords {
 public:
  using Visitor = std::function<absl::Status(std::string_view key, std::string_view value)>;

  SortedRecords(std::string folder, size_t memory) : folder_(std::move(folder)), memory_(memory) {}

  // A key has fewer than 2^16 bytes, a value fewer than 2^32.
  absl::Status Add(std::string_view key, std::string_view value);
  // Ascending by key, compared byte by byte; those of one key in the order in which they were
  // added. To be called once.
  absl::Status ForEach(const Visitor& visit);

  size_t chunks() const { return chunks_.size(); }  // on the disk so far

 private:
  struct Entry {
    uint64_t prefix;  // the key's first bytes, as a number that compares as they do
    uint64_t at;      // in bytes_: the key, and behind it the value
    uint32_t value;   // its size
    uint16_t key;     // its size
  };

  void Sort();
  absl::Status SpillRun();
  std::string_view KeyOf(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.at, entry.key);
  }

  const std::string folder_;
  const size_t memory_;
  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<SpillFile> chunks_;
};

}  // namespace joseki::book
