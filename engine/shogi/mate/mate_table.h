#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/types.h"
#include "engine/shogi/mate/mate_hand.h"

namespace joseki::shogi {

// A proof or disproof number. 0 and kInfiniteNumber mean decided.
using MateNumber = uint32_t;
inline constexpr MateNumber kInfiniteNumber = MateNumber{1} << 30;

// Knowledge of a position, from the attacker's view.
struct MateKnowledge {
  MateNumber proof = 1;
  MateNumber disproof = 1;
  bool found = false;     // an entry exists; otherwise the numbers are lower bounds
  bool expanded = false;  // open position: it was searched, not only looked up
  uint16_t nearest = 0;   // open position: smallest distance from the root at which it was met
  uint16_t plies = 0;     // proof: plies to the mate
  Move move;              // proof: the attacker's move, if it is to move
  MateHand hand;          // proof or disproof hand of a decided position

  bool solved() const { return proof == 0 || disproof == 0; }

  static MateKnowledge Proven(MateHand hand, int plies, Move move) {
    MateKnowledge proven;
    proven.proof = 0;
    proven.disproof = kInfiniteNumber;
    proven.found = true;
    proven.plies = static_cast<uint16_t>(plies);
    proven.move = move;
    proven.hand = hand;
    return proven;
  }
  static MateKnowledge Disproven(MateHand hand) {
    MateKnowledge disproven;
    disproven.proof = kInfiniteNumber;
    disproven.disproof = 0;
    disproven.found = true;
    disproven.hand = hand;
    return disproven;
  }
};

// Results of a mate search, by placement and the attacker's hand. A proof holds for every hand that
// contains the entry's (the proof hand), a disproof for every hand contained in it (A. Nagai,
// "Df-pn algorithm for searching AND/OR trees and its applications", 2002). No entry depends on the
// path. Entries lie within a few slots of their placement's index. The entry with the smallest
// search is replaced first. When the table is nearly full, the third with the smallest searches is
// dropped (SmallTreeGC in the same source).
class MateTable {
 public:
  explicit MateTable(size_t bytes);

  // Clears the table in constant time.
  void Clear();

  MateKnowledge Look(uint64_t placement, MateHand hand) const;

  // `amount`: nodes searched below, added to those of an existing entry. `ply`: distance from the
  // root.
  void KeepOpen(uint64_t placement, MateHand hand, MateNumber proof, MateNumber disproof,
                uint64_t amount, int ply);
  void KeepProven(uint64_t placement, MateHand proof_hand, int plies, Move move, uint64_t amount);
  void KeepDisproven(uint64_t placement, MateHand disproof_hand, uint64_t amount);

  int sweeps() const { return sweeps_; }

 private:
  struct Entry {
    uint64_t placement = 0;
    MateNumber proof = 0;
    MateNumber disproof = 0;
    MateHand hand;
    uint32_t amount = 0;
    uint16_t generation = 0;  // 0: empty
    uint16_t plies = 0;       // proof: plies to the mate; otherwise smallest distance from the root
    Move move;
  };

  static constexpr size_t kWindow = 16;

  Entry* WindowOf(uint64_t placement) const;
  bool Live(const Entry& entry) const { return entry.generation == generation_; }
  // The slot for a new entry: a free one, or that of the smallest search.
  Entry& Place(uint64_t placement);
  void Free(Entry& entry);
  void Sweep();

  size_t starts_;  // windows begin at 0 to starts_ - 1, a power of two
  LargeArray<Entry> entries_;
  uint16_t generation_ = 1;
  size_t used_ = 0;
  int sweeps_ = 0;
};

}  // namespace joseki::shogi
