#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/shogi/position.h"

// The positions that an evaluation has met last, with what it reckoned of each, so that of the next
// it reckons only what is different. The search need tell it nothing.
namespace joseki::shogi {

// A position, as far as an evaluation without the side to move knows it.
struct Snapshot {
  static constexpr size_t kBytes = 96;  // the squares, and room up to six registers of 16

  bool used = false;
  alignas(16) std::array<uint8_t, kBytes> board = {};
  std::array<Hand, 2> hands = {};
  std::array<Square, 2> kings = {kNoSquare, kNoSquare};
};

// A square whose piece is another one.
struct Change {
  Piece before;
  Piece after;
  uint8_t square;
};

// With more, a full computation costs no more.
inline constexpr int kMostChanges = 12;

struct Changes {
  std::array<Change, kMostChanges> list;
  int count = 0;

  const Change* begin() const { return list.data(); }
  const Change* end() const { return list.data() + count; }
};

// Takes a snapshot; hands and kings too.
void Take(const Position& position, Snapshot& out);
// Number of squares that differ, one bit each from the first in `differ`.
int Differences(const Snapshot& a, const Snapshot& b, std::array<uint64_t, 2>& differ);
// REQUIRES: no more than kMostChanges bits.
void ListChanges(const Snapshot& before, const Snapshot& after, std::array<uint64_t, 2> differ,
                 Changes& out);

// Slots by the number of plies played, each a snapshot and Sums.
template <typename Sums>
class Recent {
 public:
  // The place for a position's sums, the sums that `changes` lead from (null: none is near, compute
  // afresh), and the hands and kings of the latter. The two may be one and the same.
  struct Place {
    Sums* sums;
    const Sums* nearest;
    std::array<Hand, 2> hands;  // of the nearest
    std::array<Square, 2> kings;
  };

  // The parent, if it was evaluated, is one move away: no other can be nearer by much. The caller
  // fills the sums.
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
