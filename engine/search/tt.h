#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// What a stored value says of the true one.
enum class Bound : uint8_t { kNone = 0, kUpper = 1, kLower = 2, kExact = 3 };

// What the table knows of a position: a copy, so that later stores cannot
// change it under the reader. Mate values count from the position, not from the
// root (ToTable, FromTable).
struct TtData {
  Move move;
  Value value = kValueNone;
  Value eval = kValueNone;  // static evaluation; kValueNone where there is none
  int depth = 0;
  Bound bound = Bound::kNone;
};

constexpr Value ToTable(Value v, int ply) {
  if (!IsMate(v)) return v;
  return v > 0 ? v + ply : v - ply;
}
constexpr Value FromTable(Value v, int ply) {
  if (v == kValueNone || !IsMate(v)) return v;
  return v > 0 ? v - ply : v + ply;
}

// The transposition table: clusters of four entries, one cache line each. `lo`
// of a key picks the cluster, all of `hi` verifies the entry, so that a wrong
// hit is out of reach of any real search. Its content depends on the sequence
// of calls alone. Not thread-safe.
class TranspositionTable {
 public:
  explicit TranspositionTable(size_t bytes) { Resize(bytes); }

  // At most `bytes`, rounded down to a power of two of clusters; at least one
  // cluster. Clears.
  void Resize(size_t bytes);
  void Clear();
  // Two tables that take turns (TACOS): a new search begins with an empty one
  // and keeps the one of the search before beside it, at as much memory again.
  // Clears.
  void UseTwo(bool two);
  // Ages every entry by one search; of two tables, empties the older and makes
  // it the present one.
  void NewSearch();

  // False if the position is not stored; `data` is then untouched.
  bool Probe(const Key& key, TtData& data) const;
  // The same in the table of the search before. REQUIRES: UseTwo(true).
  bool ProbeOlder(const Key& key, TtData& data) const;
  // Keeps the stored move where `data` has none. May refuse in favour of a
  // deeper entry of this search. REQUIRES: data.bound != Bound::kNone.
  void Store(const Key& key, const TtData& data);
  void Prefetch(const Key& key) const { __builtin_prefetch(&ClusterOf(key)); }

  // Entries of this search per mille, from a sample.
  int Hashfull() const;
  size_t bytes() const { return (mask_ + 1) * sizeof(Cluster); }

 private:
  static constexpr int kGenerations = 64;
  static constexpr int kWays = 4;

  struct Entry {
    uint64_t check = 0;  // Key::hi
    uint16_t move = 0;
    int16_t value = 0;
    int16_t eval = 0;
    uint8_t depth = 0;
    uint8_t bound_generation = 0;  // bits 0-1 Bound, 2-7 generation; 0: empty

    Bound bound() const { return static_cast<Bound>(bound_generation & 3); }
    int generation() const { return bound_generation >> 2; }
  };
  struct alignas(64) Cluster {
    Entry entries[kWays];
  };
  static_assert(sizeof(Cluster) == 64);

  static bool Find(const Cluster& cluster, const Key& key, TtData& data);
  Cluster& ClusterOf(const Key& key) const { return clusters_[key.lo & mask_]; }
  int AgeOf(const Entry& e) const { return (generation_ - e.generation()) & (kGenerations - 1); }

  std::unique_ptr<Cluster[]> clusters_;
  std::unique_ptr<Cluster[]> older_;  // of the search before; null without two tables
  size_t mask_ = 0;
  int generation_ = 0;
};

}  // namespace joseki
