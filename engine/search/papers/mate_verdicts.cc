#include "engine/search/papers/mate_verdicts.h"

#include <algorithm>
#include <limits>

namespace joseki {

void MateVerdicts::Clear() { std::fill_n(entries_.get(), kEntries, Entry()); }

bool MateVerdicts::Find(const Key& key, uint64_t nodes, MateProbe& probe) const {
  const Entry& entry = EntryOf(key);
  if (entry.nodes == 0 || entry.check != key.hi) return false;
  if (entry.plies == 0 && entry.nodes < nodes) return false;
  probe = {.move = entry.move, .plies = entry.plies, .nodes = 0};
  return true;
}

void MateVerdicts::Keep(const Key& key, uint64_t nodes, const MateProbe& probe) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  EntryOf(key) = {.check = key.hi,
                  .nodes = static_cast<uint32_t>(std::clamp<uint64_t>(nodes, 1, kMost)),
                  .plies = static_cast<uint16_t>(probe.plies),
                  .move = probe.move};
}

}  // namespace joseki
