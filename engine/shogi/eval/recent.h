#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/shogi/position.h"

// A cache of the positions that an evaluation has met last, with its sums for each, so that the
// next position needs only the differences. The search need not report moves.
namespace joseki::shogi {

// A position without its side to move, as an evaluation needs it.
struct Snapshot {
  static constexpr size_t kBytes = 96;  // the squares, padded to six registers of 16

  bool used = false;
  alignas(16) std::array<uint8_t, kBytes> board = {};
  std::array<Hand, 2> hands = {};
  std::array<Square, 2> kings = {kNoSquare, kNoSquare};
};

// A square whose piece has changed.
struct Change {
  Piece before;
  Piece after;
  uint8_t square;
};

// With more changes, a full computation costs no more.
inline constexpr int kMostChanges = 12;

struct Changes {
  std::array<Change, kMostChanges> list;
  int count = 0;

  const Change* begin() const { return list.data(); }
  const Change* end() const { return list.data() + count; }
};

// Takes a snapshot, including hands and kings.
void Take(const Position& position, Snapshot& out);
// Number of squares that differ; `differ` has one bit for each, from the first square.
int Differences(const Snapshot& a, const Snapshot& b, std::array<uint64_t, 2>& differ);
// REQUIRES: at most kMostChanges bits.
void ListChanges(const Snapshot& before, const Snapshot& after, std::array<uint64_t, 2> differ,
                 Changes& out);

// Slots by the number of plies played, each with a snapshot and Sums.
template <typename Sums>
class Recent {
 public:
  // The slot for a position's sums, and the sums to update from by `changes`, with their hands and
  // kings. `nearest` is null if none is similar: compute from scratch. Both slots may be the same.
  struct Place {
    Sums* sums;
    const Sums* nearest;
    std::array<Hand, 2> hands;  // of `nearest`
    std::array<Square, 2> kings;
  };

  // Looks at the slots of the parent, of this ply and of the grandparent, in this order. A parent
  // is one move away, so no other position is much closer. The caller fills in the sums.
  Place Find(const Position& position, Changes& changes) {
    Snapshot now;
    Take(position, now);
    const auto plies = static_cast<size_t>(position.plies()) + kEntries;
    const Entry* nearest = nullptr;
    std::array<uint64_t, 2> best = {};
    int fewest = kMostChanges + 1;
    for (const size_t back : {size_t{1}, size_t{0}, size_t{2}}) {
      const Entry& entry = entries_[(plies - back) % kEntries];
      if (!entry.snapshot.used) continue;
      std::array<uint64_t, 2> differ;
      const int differences = Differences(entry.snapshot, now, differ);
      if (differences >= fewest) continue;
      fewest = differences;
      best = differ;
      nearest = &entry;
      if (differences <= 2) break;
    }
    Entry& entry = entries_[plies % kEntries];
    Place place = {.sums = &entry.sums, .nearest = nullptr, .hands = {}, .kings = {}};
    changes.count = 0;
    if (nearest != nullptr) {
      ListChanges(nearest->snapshot, now, best, changes);
      place.nearest = &nearest->sums;
      place.hands = nearest->snapshot.hands;
      place.kings = nearest->snapshot.kings;
    }
    entry.snapshot = now;
    return place;
  }

 private:
  static constexpr size_t kEntries = 128;
  struct Entry {
    Snapshot snapshot;
    Sums sums;
  };

  std::array<Entry, kEntries> entries_ = {};
};

}  // namespace joseki::shogi
