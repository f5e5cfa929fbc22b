#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// Relation of a stored value to the true one.
enum class Bound : uint8_t { kNone = 0, kUpper = 1, kLower = 2, kExact = 3 };

// The table's knowledge of a position: a copy, so that later stores cannot change it. Mate values
// count from the position, not from the root (ToTable, FromTable).
struct TtData {
  Move move;
  Value value = kValueNone;
  Value eval = kValueNone;  // static evaluation; kValueNone if unknown
  int depth = 0;
  Bound bound = Bound::kNone;
  uint32_t nodes = 1;  // of the search behind it; set only by schemes that use it
};

// Choice between two positions that compete for one slot (D. Breuker, J. Uiterwijk and J. van den
// Herik, "Replacement schemes for transposition tables", 1994, as TACOS lists them). All but
// kClusters have one slot for a position, or two (kTwo..), and replace entries of earlier searches
// unconditionally. They were designed for a table that is emptied before each search.
enum class Replacement : uint8_t {
  kClusters,  // ours: the least valuable of four slots, by depth and age
  kDeep,      // keeps the deeper one
  kNew,       // keeps the new one
  kOld,       // keeps the old one
  kBig1,      // keeps the one with more nodes, a table hit counted as one
  kBigAll,    // as kBig1, a table hit counted as the nodes behind it
  kTwoDeep,   // two slots: the deeper one in the first, the displaced or the new one in the second
  kTwoBig,    // as kTwoDeep, by nodes
};

// Events in a table since counting began.
struct TableStatistics {
  uint64_t probes = 0;
  uint64_t hits = 0;
  uint64_t stores = 0;
  uint64_t overwrites = 0;  // stores that displaced another position of this search
  uint64_t refusals = 0;    // stores refused because the slot was worth more or the table was full

  // Overwrites expected by chance alone with `places` slots (C. Ye): stores minus the expected
  // number of slots that they hit.
  double ExpectedOverwrites(uint64_t places) const;
  void Add(const TableStatistics& other);
};

constexpr Value ToTable(Value v, int ply) {
  if (!IsMate(v)) return v;
  return v > 0 ? v + ply : v - ply;
}
constexpr Value FromTable(Value v, int ply) {
  if (v == kValueNone || !IsMate(v)) return v;
  return v > 0 ? v - ply : v + ply;
}

// The transposition table: clusters of four entries, one cache line each. `lo` of a key selects the
// cluster and all of `hi` verifies the entry, so no real search meets a false hit. Its content
// depends only on the sequence of calls. Not thread-safe, except as UseShared says.
class TranspositionTable {
 public:
  explicit TranspositionTable(size_t bytes) { Resize(bytes); }

  // At most `bytes`, rounded down to a power of two of clusters; at least one cluster. Clears.
  // REQUIRES: no other table uses its memory (LookAt).
  void Resize(size_t bytes);
  void Clear();
  // Uses two tables in turn (TACOS): a new search begins with an empty one, and the previous
  // search's table stays readable. Doubles the memory. Clears.
  void UseTwo(bool two);
  // Selects the scheme; a change clears.
  void UseReplacement(Replacement scheme);
  // Refuses new positions once this percentage of the entries is of the current search; 0: never. A
  // change clears.
  void RefuseFrom(int percent);
  // Adds to `statistics`, which must outlive the table, from now on; null stops it.
  void CountIn(TableStatistics* statistics);
  // Whether tables of other threads may use its memory. Their Probe and Store may then run
  // concurrently with ours, by our own scheme and without statistics. An entry that two threads
  // write at once is not found again. A change clears.
  void UseShared(bool shared);
  // Uses the memory of `of` from now on, as long as `of` receives only Probe and Store calls.
  // REQUIRES: of.UseShared(true).
  void LookAt(const TranspositionTable& of);
  // Ages every entry by one search; of two tables, empties the older one and makes it current.
  void NewSearch();
  // NewSearch for a second search of the same root: of two tables the older one stays, and
  // `goes_on` keeps the current one too.
  void NewSearchBeside(bool goes_on);

  // False if the position is not stored; `data` is then unchanged.
  bool Probe(const Key& key, TtData& data) const;
  // Probes the previous search's table. REQUIRES: UseTwo(true).
  bool ProbeOlder(const Key& key, TtData& data) const;
  // Keeps the stored move if `data` has none. May refuse in favour of a deeper entry of this
  // search. REQUIRES: data.bound != Bound::kNone.
  void Store(const Key& key, const TtData& data);
  void Prefetch(const Key& key) const { __builtin_prefetch(&ClusterOf(key)); }

  // Whether new positions are refused (RefuseFrom).
  bool full() const { return refuse_percent_ > 0 && used_ * 100 >= places() * refuse_percent_; }
  // Entries of this search, per mille, from a sample.
  int Hashfull() const;
  size_t bytes() const { return (mask_ + 1) * sizeof(Cluster); }
  uint64_t places() const { return (mask_ + 1) * kWays; }

 private:
  static constexpr int kGenerations = 64;
  static constexpr int kWays = 4;

  struct Entry {
    uint64_t check = 0;  // Key::hi; in shared memory XORed with `data`, which reveals a torn entry
    uint64_t data = 0;   // bits 0-15 move, 16-31 value, 32-47 evaluation, 48-55 depth, 56-57 Bound,
                         // 58-63 generation; 0: empty

    Move move() const { return Move(static_cast<uint16_t>(data)); }
    Value value() const { return static_cast<int16_t>(data >> 16); }
    Value eval() const { return static_cast<int16_t>(data >> 32); }
    int depth() const { return static_cast<int>(data >> 48 & 0xff); }
    Bound bound() const { return static_cast<Bound>(data >> 56 & 3); }
    int generation() const { return static_cast<int>(data >> 58); }
  };
  struct alignas(64) Cluster {
    Entry entries[kWays];
  };
  static_assert(sizeof(Cluster) == 64);

  static bool Find(const Cluster& cluster, const Key& key, TtData& data);
  // Stores by our scheme; returns the changed entry, or null.
  Entry* StoreIn(Cluster& cluster, const Key& key, const TtData& data) const;
  void Write(Entry& entry, const Key& key, const TtData& data) const;
  // Whether the stored entry stays: a shallower bound does not displace a deeper result of this
  // search.
  bool Stays(const Entry& entry, const TtData& data) const {
    return data.bound != Bound::kExact && AgeOf(entry) == 0 && data.depth + 3 < entry.depth();
  }
  void KeepMove(Entry& entry, const TtData& data) const {
    if (data.move) entry.data = (entry.data & ~uint64_t{0xffff}) | data.move.raw();
  }

  // The paths other than the plain one (plain_).
  bool ProbeOtherwise(const Key& key, TtData& data) const;
  void StoreOtherwise(const Key& key, const TtData& data);
  Cluster LoadShared(const Key& key) const;
  void StoreShared(const Key& key, const TtData& data);
  // Slot for a new position under a scheme other than ours; null: refused. `lost`: an entry of this
  // search was displaced.
  Entry* PlaceFor(Cluster& cluster, const Key& key, const TtData& data, bool& lost);
  uint32_t* SizeOf(const Entry& entry) const;  // null if none are kept
  bool IsFree(const Entry& entry) const {
    return entry.bound() == Bound::kNone || AgeOf(entry) != 0;
  }
  void ChoosePath();

  Cluster& ClusterOf(const Key& key) const { return clusters_[key.lo & mask_]; }
  int AgeOf(const Entry& e) const { return (generation_ - e.generation()) & (kGenerations - 1); }

  Cluster* clusters_ = nullptr;  // own_ or another table's
  LargeArray<Cluster> own_;      // null while another table's memory is used
  LargeArray<Cluster> older_;    // of the previous search; null without two tables
  size_t mask_ = 0;
  int generation_ = 0;
  bool plain_ = true;  // our scheme, one thread, no statistics, no refusal
  bool shared_ = false;
  Replacement scheme_ = Replacement::kClusters;
  uint64_t refuse_percent_ = 0;
  uint64_t used_ = 0;           // entries of this search; maintained off the plain path only
  LargeArray<uint32_t> sizes_;  // nodes behind each entry, for schemes that use them
  TableStatistics* statistics_ = nullptr;  // not owned
};

}  // namespace joseki
