#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_array.h"
#include "engine/core/types.h"
#include "engine/shogi/mate/mate_hand.h"

namespace joseki::shogi {

// A proof or disproof number. 0 and kInfiniteNumber: decided.
using MateNumber = uint32_t;
inline constexpr MateNumber kInfiniteNumber = MateNumber{1} << 30;

// Knowledge of a position, from the attacker.
struct MateKnowledge {
  MateNumber proof = 1;
  MateNumber disproof = 1;
  bool found = false;     // there is an entry; without one the numbers are lower bounds
  bool expanded = false;  // of an open position: it was searched, not only seen
  uint16_t nearest = 0;   // of what is open: the fewest plies from the root at which it was met
  uint16_t plies = 0;     // of a proof: to the mate
  Move move;              // of a proof: the attacker's, if it is to move
  MateHand hand;          // proof or disproof hand of what is decided

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
// has all of the entry's (the proof hand), a disproof for every hand that the entry's has all of
// (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). Nothing in
// it depends on the path. Entries lie within a few places of their placement's index. The one with
// the smallest search below it is replaced first; when the table is nearly full, the third with the
// smallest searches is swept out (SmallTreeGC there).
class MateTable {
 public:
  explicit MateTable(size_t bytes);

  // Forgets everything, at no cost.
  void Clear();

  MateKnowledge Look(uint64_t placement, MateHand hand) const;

  // `amount`: nodes searched below, added to what an entry has. `ply`: from the root.
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
    uint16_t plies = 0;       // of a proof to the mate; else the fewest from the root
    Move move;
  };

  static constexpr size_t kWindow = 16;

  Entry* WindowOf(uint64_t placement) const;
  bool Live(const Entry& entry) const { return entry.generation == generation_; }
  // The place for a new entry: a free one, or that of the smallest search.
  Entry& Place(uint64_t placement);
  void Free(Entry& entry);
  void Sweep();

  size_t starts_;  // windows begin at 0 .. starts_ - 1, a power of two
  LargeArray<Entry> entries_;
  uint16_t generation_ = 1;
  size_t used_ = 0;
  int sweeps_ = 0;
};

}  // namespace joseki::shogi
