#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// Verdicts of mate searches in single positions, for the next visit (YSS keeps them in its table):
// a mate, or none within so many nodes. Each position has one entry, which the latest verdict
// replaces.
class MateVerdicts {
 public:
  MateVerdicts() : entries_(MakeLargeArray<Entry>(kEntries)) {}

  void Clear();

  // Whether a stored verdict makes a search with `nodes` nodes unnecessary; `probe` then has it,
  // with 0 nodes.
  bool Find(const Key& key, uint64_t nodes, MateProbe& probe) const;
  // Stores the result of a search of `nodes` nodes that was not interrupted.
  void Keep(const Key& key, uint64_t nodes, const MateProbe& probe);

 private:
  struct Entry {
    uint64_t check = 0;
    uint32_t nodes = 0;  // 0: empty
    uint16_t plies = 0;  // of the mate; 0: none was found
    Move move;
  };
  static constexpr size_t kEntries = size_t{1} << 16;

  Entry& EntryOf(const Key& key) const { return entries_[key.lo % kEntries]; }

  LargeArray<Entry> entries_;
};

}  // namespace joseki
