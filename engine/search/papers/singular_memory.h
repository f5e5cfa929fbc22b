#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// Moves that a test found to be singular, for the iteration of the test and the next one. Each node
// has one entry, which the latest move replaces.
class SingularMemory {
 public:
  SingularMemory() : entries_(MakeLargeArray<Entry>(kEntries)) {}

  void Clear() { std::fill_n(entries_.get(), kEntries, Entry()); }
  void BeginIteration() { ++iteration_; }

  bool Has(const Key& key, Move move) const {
    const Entry& entry = EntryOf(key);
    return entry.check == key.hi && entry.move == move && iteration_ - entry.iteration <= 1;
  }
  void Keep(const Key& key, Move move) {
    EntryOf(key) = {.check = key.hi, .iteration = iteration_, .move = move};
  }

 private:
  struct Entry {
    uint64_t check = 0;
    uint32_t iteration = 0;
    Move move;  // none: empty
  };
  static constexpr size_t kEntries = size_t{1} << 16;

  Entry& EntryOf(const Key& key) const { return entries_[key.lo % kEntries]; }

  uint32_t iteration_ = 0;  // counted over all searches
  LargeArray<Entry> entries_;
};

}  // namespace joseki
