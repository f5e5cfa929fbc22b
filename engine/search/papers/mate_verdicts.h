#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/game.h"
#include "engine/core/types.h"

namespace joseki {

// Verdicts of mate searches in single positions, for the next visit (YSS keeps them in its table):
// a mate, or none within so many nodes. One place for a position, the latest has it.
class MateVerdicts {
 public:
  MateVerdicts() : entries_(MakeLargeArray<Entry>(kEntries)) {}

  void Clear();

  // Whether a search with `nodes` nodes would say no more than what is known; then `probe` has it,
  // at no node.
  bool Find(const Key& key, uint64_t nodes, MateProbe& probe) const;
  // A search of `nodes` nodes, not broken off before, has found this.
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
