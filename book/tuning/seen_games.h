#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"

namespace joseki::book {

// Hashes of games. A set of many small ones, so that Insert never takes long: one set of ten
// million that has to grow moves all of them at once. About 16 bytes a game. Thread rule: as the
// tuner that has it.
class SeenGames {
 public:
  // Whether the game is a new one.
  bool Insert(uint64_t hash) {
    const bool is_new = PartOf(hash).insert(hash).second;
    if (is_new) ++size_;
    return is_new;
  }
  void Insert(std::span<const uint64_t> hashes) {
    // Hashes are spread evenly; a part with a few more than the others grows by itself.
    for (absl::flat_hash_set<uint64_t>& part : parts_) {
      part.reserve(part.size() + hashes.size() / kParts);
    }
    for (const uint64_t hash : hashes) Insert(hash);
  }
  bool Contains(uint64_t hash) const { return parts_[hash >> kShift].contains(hash); }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kParts = 1024;
  static constexpr int kShift = 64 - 10;  // by the highest bits

  absl::flat_hash_set<uint64_t>& PartOf(uint64_t hash) { return parts_[hash >> kShift]; }

  std::vector<absl::flat_hash_set<uint64_t>> parts_ =
      std::vector<absl::flat_hash_set<uint64_t>>(kParts);
  size_t size_ = 0;
};

}  // namespace joseki::book
