#include "engine/search/tt.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace joseki {
namespace {

bool IsBySize(Replacement scheme) {
  return scheme == Replacement::kBig1 || scheme == Replacement::kBigAll ||
         scheme == Replacement::kTwoBig;
}

// Accesses to memory that other threads may use. Another thread may interfere between the two words
// of an entry, never within one.
uint64_t Load(uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
void Save(uint64_t& word, uint64_t value) {
  std::atomic_ref(word).store(value, std::memory_order_relaxed);
}

}  // namespace

double TableStatistics::ExpectedOverwrites(uint64_t places) const {
  const auto size = static_cast<double>(places);
  const auto made = static_cast<double>(stores);
  return made - size * (1 - std::pow((size - 1) / size, made));
}

void TableStatistics::Add(const TableStatistics& other) {
  probes += other.probes;
  hits += other.hits;
  stores += other.stores;
  overwrites += other.overwrites;
  refusals += other.refusals;
}

void TranspositionTable::Resize(size_t bytes) {
  const size_t count = std::bit_floor(std::max<size_t>(bytes / sizeof(Cluster), 1));
  if (own_ == nullptr || count != mask_ + 1) {
    own_.reset();  // freed first, so that the two never coexist
    own_ = MakeLargeArray<Cluster>(count);
    if (older_ != nullptr) older_ = MakeLargeArray<Cluster>(count);
    if (sizes_ != nullptr) sizes_ = MakeLargeArray<uint32_t>(count * kWays);
    clusters_ = own_.get();
    mask_ = count - 1;
    generation_ = 0;
    used_ = 0;
  } else {
    Clear();
  }
}

void TranspositionTable::Clear() {
  std::fill_n(clusters_, mask_ + 1, Cluster());
  if (older_ != nullptr) std::fill_n(older_.get(), mask_ + 1, Cluster());
  generation_ = 0;
  used_ = 0;
}

void TranspositionTable::UseTwo(bool two) {
  if (two == (older_ != nullptr)) return;
  older_ = two ? MakeLargeArray<Cluster>(mask_ + 1) : nullptr;
  Clear();
}

void TranspositionTable::UseReplacement(Replacement scheme) {
  if (scheme == scheme_) return;
  scheme_ = scheme;
  sizes_ = IsBySize(scheme) ? MakeLargeArray<uint32_t>((mask_ + 1) * kWays) : nullptr;
  Clear();
  ChoosePath();
}

void TranspositionTable::RefuseFrom(int percent) {
  if (static_cast<uint64_t>(percent) == refuse_percent_) return;
  refuse_percent_ = static_cast<uint64_t>(percent);
  Clear();
  ChoosePath();
}

void TranspositionTable::CountIn(TableStatistics* statistics) {
  statistics_ = statistics;
  ChoosePath();
}

void TranspositionTable::UseShared(bool shared) {
  if (shared == shared_) return;
  shared_ = shared;
  Clear();
  ChoosePath();
}

void TranspositionTable::LookAt(const TranspositionTable& of) {
  assert(of.shared_);
  own_.reset();
  clusters_ = of.clusters_;
  mask_ = of.mask_;
  generation_ = of.generation_;
  shared_ = true;
  ChoosePath();
}

void TranspositionTable::ChoosePath() {
  plain_ = !shared_ && scheme_ == Replacement::kClusters && refuse_percent_ == 0 &&
           statistics_ == nullptr;
}

void TranspositionTable::NewSearch() {
  generation_ = (generation_ + 1) % kGenerations;
  used_ = 0;
  if (older_ == nullptr) return;
  std::swap(own_, older_);
  clusters_ = own_.get();
  std::fill_n(clusters_, mask_ + 1, Cluster());
}

void TranspositionTable::NewSearchBeside(bool goes_on) {
  generation_ = (generation_ + 1) % kGenerations;
  used_ = 0;
  if (older_ != nullptr && !goes_on) std::fill_n(clusters_, mask_ + 1, Cluster());
}

bool TranspositionTable::Probe(const Key& key, TtData& data) const {
  return plain_ ? Find(ClusterOf(key), key, data) : ProbeOtherwise(key, data);
}

bool TranspositionTable::ProbeOlder(const Key& key, TtData& data) const {
  return Find(older_[key.lo & mask_], key, data);
}

bool TranspositionTable::Find(const Cluster& cluster, const Key& key, TtData& data) {
  for (const Entry& e : cluster.entries) {
    if (e.check != key.hi || e.bound() == Bound::kNone) continue;
    data.move = e.move();
    data.value = e.value();
    data.eval = e.eval();
    data.depth = e.depth();
    data.bound = e.bound();
    return true;
  }
  return false;
}

void TranspositionTable::Store(const Key& key, const TtData& data) {
  assert(data.bound != Bound::kNone && data.depth >= 0 && data.depth <= 255);
  if (plain_) {
    StoreIn(ClusterOf(key), key, data);
  } else {
    StoreOtherwise(key, data);
  }
}

TranspositionTable::Entry* TranspositionTable::StoreIn(Cluster& cluster, const Key& key,
                                                       const TtData& data) const {
  Entry* victim = nullptr;
  int least = 0;
  for (Entry& e : cluster.entries) {
    if (e.check == key.hi && e.bound() != Bound::kNone) {
      if (Stays(e, data)) {
        KeepMove(e, data);
        return &e;
      }
      victim = &e;
      break;
    }
    // Otherwise the least valuable entry: empty, shallow or old. One search of age counts as eight
    // plies, so that entries left by earlier moves of the game go first.
    const int worth = e.bound() == Bound::kNone ? -1000 : e.depth() - 8 * AgeOf(e);
    if (victim == nullptr || worth < least) {
      victim = &e;
      least = worth;
    }
  }
  Write(*victim, key, data);
  return victim;
}

void TranspositionTable::Write(Entry& entry, const Key& key, const TtData& data) const {
  const uint64_t move =
      data.move || entry.check != key.hi ? data.move.raw() : entry.data & uint64_t{0xffff};
  entry.check = key.hi;
  entry.data = move | uint64_t{static_cast<uint16_t>(data.value)} << 16 |
               uint64_t{static_cast<uint16_t>(data.eval)} << 32 |
               static_cast<uint64_t>(data.depth) << 48 | static_cast<uint64_t>(data.bound) << 56 |
               static_cast<uint64_t>(generation_) << 58;
}

bool TranspositionTable::ProbeOtherwise(const Key& key, TtData& data) const {
  if (shared_) return Find(LoadShared(key), key, data);
  if (statistics_ != nullptr) ++statistics_->probes;
  const Cluster& cluster = ClusterOf(key);
  if (!Find(cluster, key, data)) return false;
  if (statistics_ != nullptr) ++statistics_->hits;
  for (const Entry& e : cluster.entries) {
    const uint32_t* size = e.check == key.hi ? SizeOf(e) : nullptr;
    if (size != nullptr) data.nodes = *size;
  }
  return true;
}

void TranspositionTable::StoreOtherwise(const Key& key, const TtData& data) {
  if (shared_) {
    StoreShared(key, data);
    return;
  }
  TableStatistics none;
  TableStatistics& statistics = statistics_ != nullptr ? *statistics_ : none;
  Cluster& cluster = ClusterOf(key);
  Entry* known = nullptr;
  for (Entry& e : cluster.entries) {
    if (e.check == key.hi && e.bound() != Bound::kNone) known = &e;
  }
  ++statistics.stores;
  if (known == nullptr && full()) {
    ++statistics.refusals;
    return;
  }
  if (scheme_ == Replacement::kClusters) {
    const Cluster before = cluster;
    const Entry* const changed = StoreIn(cluster, key, data);
    const Entry& old = before.entries[changed - cluster.entries];
    if (IsFree(old)) ++used_;
    if (known == nullptr && !IsFree(old)) ++statistics.overwrites;
    return;
  }
  bool lost = false;
  if (known != nullptr && Stays(*known, data)) {
    KeepMove(*known, data);
    return;
  }
  Entry* const place = known != nullptr ? known : PlaceFor(cluster, key, data, lost);
  if (place == nullptr) {
    ++statistics.refusals;
    return;
  }
  if (IsFree(*place)) ++used_;
  if (lost) ++statistics.overwrites;
  Write(*place, key, data);
  if (uint32_t* const size = SizeOf(*place)) *size = data.nodes;
}

TranspositionTable::Entry* TranspositionTable::PlaceFor(Cluster& cluster, const Key& key,
                                                        const TtData& data, bool& lost) {
  // Bits of the key that do not select the cluster.
  const auto way = static_cast<size_t>(key.lo >> 62);
  const bool two = scheme_ == Replacement::kTwoDeep || scheme_ == Replacement::kTwoBig;
  Entry& first = cluster.entries[two ? way & 2 : way];
  if (IsFree(first)) return &first;
  bool better = false;
  switch (scheme_) {
    case Replacement::kNew:
      better = true;
      break;
    case Replacement::kDeep:
    case Replacement::kTwoDeep:
      better = data.depth >= first.depth();
      break;
    case Replacement::kBig1:
    case Replacement::kBigAll:
    case Replacement::kTwoBig:
      better = data.nodes >= *SizeOf(first);
      break;
    default:
      break;
  }
  if (!two) {
    lost = better;
    return better ? &first : nullptr;
  }
  Entry& second = cluster.entries[(way & 2) + 1];
  lost = !IsFree(second);
  if (!better) return &second;
  if (!lost) ++used_;
  second = first;
  if (uint32_t* const size = SizeOf(second)) *size = *SizeOf(first);
  return &first;
}

uint32_t* TranspositionTable::SizeOf(const Entry& entry) const {
  if (sizes_ == nullptr) return nullptr;
  const auto* const begin = reinterpret_cast<const char*>(clusters_);
  const auto bytes = reinterpret_cast<const char*>(&entry) - begin;
  return &sizes_[static_cast<size_t>(bytes) / sizeof(Entry)];
}

TranspositionTable::Cluster TranspositionTable::LoadShared(const Key& key) const {
  Cluster copy;
  Cluster& cluster = ClusterOf(key);
  for (size_t i = 0; i < kWays; ++i) {
    copy.entries[i].data = Load(cluster.entries[i].data);
    copy.entries[i].check = Load(cluster.entries[i].check) ^ copy.entries[i].data;
  }
  return copy;
}

void TranspositionTable::StoreShared(const Key& key, const TtData& data) {
  Cluster copy = LoadShared(key);
  const Entry* const changed = StoreIn(copy, key, data);
  Entry& entry = ClusterOf(key).entries[changed - copy.entries];
  Save(entry.data, changed->data);
  Save(entry.check, changed->check ^ changed->data);
}

int TranspositionTable::Hashfull() const {
  const size_t sample = 1 + std::min<size_t>(mask_, 249);
  size_t used = 0;
  for (size_t i = 0; i < sample; ++i) {
    for (Entry& e : clusters_[i].entries) {
      const Entry now{.check = 0, .data = Load(e.data)};
      if (now.bound() != Bound::kNone && AgeOf(now) == 0) ++used;
    }
  }
  return static_cast<int>(used * 1000 / (sample * kWays));
}

}  // namespace joseki
