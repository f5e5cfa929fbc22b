#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"

namespace joseki::book {

// A set of game hashes, split into many small sets so that Insert never takes long. A single set of
// ten million would move all of them when it grows. About 16 bytes a game. Threading: as the tuner.
class SeenGames {
 public:
  // Returns true if the game is new.
  bool Insert(uint64_t hash) {
    const bool is_new = PartOf(hash).insert(hash).second;
    if (is_new) ++size_;
    return is_new;
  }
  // Inserts many hashes, one small set after another. Each set stays in the processor's cache while
  // it is filled, which is several times as fast as single inserts for ten million hashes.
  void Insert(std::span<const uint64_t> hashes) {
    std::array<size_t, kParts + 1> ends{};  // end of each set's hashes in the sorted order
    for (const uint64_t hash : hashes) ++ends[(hash >> kShift) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<uint64_t> sorted(hashes.size());
    for (const uint64_t hash : hashes) sorted[ends[hash >> kShift]++] = hash;
    size_t first = 0;
    for (size_t i = 0; i < kParts; ++i) {
      absl::flat_hash_set<uint64_t>& part = parts_[i];
      const size_t before = part.size();
      part.reserve(before + ends[i] - first);
      part.insert(sorted.data() + first, sorted.data() + ends[i]);
      size_ += part.size() - before;
      first = ends[i];
    }
  }
  bool Contains(uint64_t hash) const { return parts_[hash >> kShift].contains(hash); }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kParts = 1024;
  static constexpr int kShift = 64 - 10;  // sets are chosen by the highest bits

  absl::flat_hash_set<uint64_t>& PartOf(uint64_t hash) { return parts_[hash >> kShift]; }

  std::vector<absl::flat_hash_set<uint64_t>> parts_ =
      std::vector<absl::flat_hash_set<uint64_t>>(kParts);
  size_t size_ = 0;
};

}  // namespace joseki::book
