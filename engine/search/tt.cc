#include "engine/search/tt.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace joseki {

void TranspositionTable::Resize(size_t bytes) {
  const size_t count = std::bit_floor(std::max<size_t>(bytes / sizeof(Cluster), 1));
  if (clusters_ == nullptr || count != mask_ + 1) {
    clusters_.reset();  // before the new one, so that the two never stand side
                        // by side
    clusters_ = std::make_unique<Cluster[]>(count);
    if (older_ != nullptr) older_ = std::make_unique<Cluster[]>(count);
    mask_ = count - 1;
    generation_ = 0;
  } else {
    Clear();
  }
}

void TranspositionTable::Clear() {
  std::fill_n(clusters_.get(), mask_ + 1, Cluster());
  if (older_ != nullptr) std::fill_n(older_.get(), mask_ + 1, Cluster());
  generation_ = 0;
}

void TranspositionTable::UseTwo(bool two) {
  if (two == (older_ != nullptr)) return;
  older_ = two ? std::make_unique<Cluster[]>(mask_ + 1) : nullptr;
  Clear();
}

void TranspositionTable::NewSearch() {
  generation_ = (generation_ + 1) % kGenerations;
  if (older_ == nullptr) return;
  std::swap(clusters_, older_);
  std::fill_n(clusters_.get(), mask_ + 1, Cluster());
}

bool TranspositionTable::Probe(const Key& key, TtData& data) const {
  return Find(ClusterOf(key), key, data);
}

bool TranspositionTable::ProbeOlder(const Key& key, TtData& data) const {
  return Find(older_[key.lo & mask_], key, data);
}

bool TranspositionTable::Find(const Cluster& cluster, const Key& key, TtData& data) {
  for (const Entry& e : cluster.entries) {
    if (e.check != key.hi || e.bound() == Bound::kNone) continue;
    data.move = Move(e.move);
    data.value = e.value;
    data.eval = e.eval;
    data.depth = e.depth;
    data.bound = e.bound();
    return true;
  }
  return false;
}

void TranspositionTable::Store(const Key& key, const TtData& data) {
  assert(data.bound != Bound::kNone && data.depth >= 0 && data.depth <= 255);
  Entry* victim = nullptr;
  int least = 0;
  for (Entry& e : ClusterOf(key).entries) {
    if (e.check == key.hi && e.bound() != Bound::kNone) {
      // The same position: a shallower bound does not displace a deeper result
      // of this search.
      if (data.bound != Bound::kExact && AgeOf(e) == 0 && data.depth + 3 < e.depth) {
        if (data.move) e.move = data.move.raw();
        return;
      }
      victim = &e;
      break;
    }
    // Otherwise the entry that is worth least: empty, shallow or old. One
    // search of age weighs eight plies, so that what a game has left behind
    // goes first.
    const int worth = e.bound() == Bound::kNone ? -1000 : e.depth - 8 * AgeOf(e);
    if (victim == nullptr || worth < least) {
      victim = &e;
      least = worth;
    }
  }
  if (data.move || victim->check != key.hi) victim->move = data.move.raw();
  victim->check = key.hi;
  victim->value = static_cast<int16_t>(data.value);
  victim->eval = static_cast<int16_t>(data.eval);
  victim->depth = static_cast<uint8_t>(data.depth);
  victim->bound_generation = static_cast<uint8_t>(generation_ << 2 | static_cast<int>(data.bound));
}

int TranspositionTable::Hashfull() const {
  const size_t sample = 1 + std::min<size_t>(mask_, 249);
  size_t used = 0;
  for (size_t i = 0; i < sample; ++i) {
    for (const Entry& e : clusters_[i].entries) {
      if (e.bound() != Bound::kNone && AgeOf(e) == 0) ++used;
    }
  }
  return static_cast<int>(used * 1000 / (sample * kWays));
}

}  // namespace joseki
