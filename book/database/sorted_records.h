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

// Sorts any number of records by key. Records beyond `memory` bytes go to unnamed files in `folder`
// as sorted chunks, merged at the end. The result does not depend on the bound.
class SortedRecords {
 public:
  using Visitor = std::function<absl::Status(std::string_view key, std::string_view value)>;

  SortedRecords(std::string folder, size_t memory) : folder_(std::move(folder)), memory_(memory) {}

  // A key has fewer than 2^16 bytes, a value fewer than 2^32.
  absl::Status Add(std::string_view key, std::string_view value);
  // Visits records ascending by key, compared bytewise; records of equal keys in the order of Add.
  // Call at most once.
  absl::Status ForEach(const Visitor& visit);

  size_t chunks() const { return chunks_.size(); }  // number of chunks on disk so far

 private:
  struct Entry {
    uint64_t prefix;  // first bytes of the key, as a number that compares like them
    uint64_t at;      // offset in bytes_ of the key, which its value follows
    uint32_t value;   // size of the value
    uint16_t key;     // size of the key
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
