#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// Relation of a stored value to the true one.
enum class Bound : uint8_t { kNone = 0, kUpper = 1, kLower = 2, kExact = 3 };

// Knowledge of the table about a position: a copy, so that later stores cannot change it under the
// reader. Mate values count from the position, not from the root (ToTable, FromTable).
struct TtData {
  Move move;
  Value value = kValueNone;
  Value eval = kValueNone;  // static evaluation; kValueNone where there is none
  int depth = 0;
  Bound bound = Bound::kNone;
  uint32_t nodes = 1;  // of the search behind it; only the schemes that go by it tell
};

// Choice between two positions that want one place (D. Breuker, J. Uiterwijk and J. van den Herik,
// "Replacement schemes for transposition tables", 1994, as TACOS lists them). All but kClusters
// have one place for a position, or two (kTwo..), and an entry of an earlier search always gives
// way. They were meant for a table that is emptied before each search.
enum class Replacement : uint8_t {
  kClusters,  // ours: of four places the one that is worth least by depth and age
  kDeep,      // the deeper
  kNew,       // the new one
  kOld,       // the old one
  kBig1,      // that with more nodes behind it, a hit counted as one
  kBigAll,    // the same, a hit counted as the nodes behind it
  kTwoDeep,  // two places: the deeper in the first, what it pushes out or the new one in the second
  kTwoBig,   // two places: the bigger in the first
};

// Events in a table since counting began.
struct TableStatistics {
  uint64_t probes = 0;
  uint64_t hits = 0;
  uint64_t stores = 0;
  uint64_t overwrites = 0;  // of stores: another position of this search had to go
  uint64_t refusals = 0;  // stores that were not made: the place was worth more, or the table full

  // Overwrites that chance alone would make with `places` (C. Ye): stores less the places that they
  // are expected to hit.
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

// The transposition table: clusters of four entries, one cache line each. `lo` of a key picks the
// cluster and all of `hi` verifies the entry: no real search meets a wrong hit. Its content depends
// on the sequence of calls alone. Not thread-safe, but for what UseShared says.
class TranspositionTable {
 public:
  explicit TranspositionTable(size_t bytes) { Resize(bytes); }

  // At most `bytes`, rounded down to a power of two of clusters; at least one
  // cluster. Clears. REQUIRES: nobody looks at its memory (LookAt).
  void Resize(size_t bytes);
  void Clear();
  // Two tables that take turns (TACOS): a new search begins with an empty one. The one of the
  // search before stays beside it, at as much memory again. Clears.
  void UseTwo(bool two);
  // Another scheme than before clears.
  void UseReplacement(Replacement scheme);
  // Once so many percent of the entries are of this search, positions that it
  // does not have are refused; 0: never. Another number than before clears.
  void RefuseFrom(int percent);
  // Adds from now on to `statistics`, which must outlive it; null: no more.
  void CountIn(TableStatistics* statistics);
  // Whether tables of other threads may look at its memory. Probe and Store may then run beside
  // theirs, by our own scheme, with nothing counted. An entry that two have written at once is not
  // found again. Clears if that is new.
  void UseShared(bool shared);
  // Uses the memory of `of` from now on, as long as nothing but Probe and Store is done to that
  // one. REQUIRES: of.UseShared(true).
  void LookAt(const TranspositionTable& of);
  // Ages every entry by one search; of two tables, empties the older and makes
  // it the present one.
  void NewSearch();

  // False if the position is not stored; `data` is then untouched.
  bool Probe(const Key& key, TtData& data) const;
  // Probe in the table of the search before. REQUIRES: UseTwo(true).
  bool ProbeOlder(const Key& key, TtData& data) const;
  // Keeps the stored move where `data` has none. May refuse in favour of a
  // deeper entry of this search. REQUIRES: data.bound != Bound::kNone.
  void Store(const Key& key, const TtData& data);
  void Prefetch(const Key& key) const { __builtin_prefetch(&ClusterOf(key)); }

  // Whether positions are refused (RefuseFrom).
  bool full() const { return refuse_percent_ > 0 && used_ * 100 >= places() * refuse_percent_; }
  // Entries of this search per mille, from a sample.
  int Hashfull() const;
  size_t bytes() const { return (mask_ + 1) * sizeof(Cluster); }
  uint64_t places() const { return (mask_ + 1) * kWays; }

 private:
  static constexpr int kGenerations = 64;
  static constexpr int kWays = 4;

  struct Entry {
    uint64_t check = 0;  // Key::hi; in shared memory crossed with `data`, which shows a torn entry
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
  // Stores by our scheme; returns the entry that has changed, if one has.
  Entry* StoreIn(Cluster& cluster, const Key& key, const TtData& data) const;
  void Write(Entry& entry, const Key& key, const TtData& data) const;
  // Whether what is known of the position stays: a shallower bound does not
  // displace a deeper result of this search.
  bool Stays(const Entry& entry, const TtData& data) const {
    return data.bound != Bound::kExact && AgeOf(entry) == 0 && data.depth + 3 < entry.depth();
  }
  void KeepMove(Entry& entry, const TtData& data) const {
    if (data.move) entry.data = (entry.data & ~uint64_t{0xffff}) | data.move.raw();
  }

  // Off the plain path (plain_).
  bool ProbeOtherwise(const Key& key, TtData& data) const;
  void StoreOtherwise(const Key& key, const TtData& data);
  Cluster LoadShared(const Key& key) const;
  void StoreShared(const Key& key, const TtData& data);
  // The place of a position that is not stored, by another scheme than ours;
  // null: it is refused. `lost`: an entry of this search had to go.
  Entry* PlaceFor(Cluster& cluster, const Key& key, const TtData& data, bool& lost);
  uint32_t* SizeOf(const Entry& entry) const;  // null where none are kept
  bool IsFree(const Entry& entry) const {
    return entry.bound() == Bound::kNone || AgeOf(entry) != 0;
  }
  void ChoosePath();

  Cluster& ClusterOf(const Key& key) const { return clusters_[key.lo & mask_]; }
  int AgeOf(const Entry& e) const { return (generation_ - e.generation()) & (kGenerations - 1); }

  Cluster* clusters_ = nullptr;  // own_, or another's
  LargeArray<Cluster> own_;      // null while another's are used
  LargeArray<Cluster> older_;    // of the search before; null without two tables
  size_t mask_ = 0;
  int generation_ = 0;
  bool plain_ = true;  // our scheme, one thread, nothing counted, nothing refused
  bool shared_ = false;
  Replacement scheme_ = Replacement::kClusters;
  uint64_t refuse_percent_ = 0;
  uint64_t used_ = 0;                      // entries of this search; known off the plain path only
  LargeArray<uint32_t> sizes_;             // nodes behind each entry, for the schemes that ask
  TableStatistics* statistics_ = nullptr;  // not ours
};

}  // namespace joseki
