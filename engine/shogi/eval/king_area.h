#pragma once

#include <array>
#include <cstdint>

#include "engine/shogi/eval/recent.h"
#include "engine/shogi/eval/sights.h"
#include "engine/shogi/position.h"

// The eight squares beside each king: their pieces, and the number of attacks by both sides.
namespace joseki::shogi {

inline constexpr int kBeside = 8;
// Classes of a square: empty, or with a piece of the king's side or of the other side. Each is
// split by attacks: 0 to 3 (or more) by the other side, 0 to 2 (or more) by the king's side without
// the king. The last class is off the board.
inline constexpr int kBesideClasses = 3 * 4 * 3 + 1;
inline constexpr int kBesideInputs = kBeside * kBesideClasses;
// Classes of the other side's hand, by its pieces other than pawns.
inline constexpr int kHoldings = 4;

struct KingArea {
  // An input for each square: its direction from the king, and its class. Directions are the
  // owner's, mirrored if the king is left of the middle.
  alignas(16) std::array<uint16_t, kBeside> inputs;
  uint8_t holding;
};

// Attacks on each square beside a king, as bytes.
class AttackCounts {
 public:
  void Add(Piece by, uint64_t counts) {
    all_ += counts;
    white_ += counts & OfWhite(by);
  }
  void Remove(Piece by, uint64_t counts) {
    all_ -= counts;
    white_ -= counts & OfWhite(by);
  }
  uint64_t Of(Color by) const { return by == kWhite ? white_ : all_ - white_; }

 private:
  static uint64_t OfWhite(Piece by) {
    return 0 - uint64_t{static_cast<unsigned>(Index(ColorOf(by)))};
  }
  uint64_t all_ = 0;
  uint64_t white_ = 0;
};

// Step attacks on the squares beside each king, by the king's owner; sliders are not included.
// Computed from scratch, or updated by `changes` from a position with the same kings.
using StepCounts = std::array<AttackCounts, 2>;
StepCounts CollectSteps(const Position& position);
void AdvanceSteps(const Position& position, const Changes& changes,
                  const std::array<Square, 2>& kings_before, StepCounts& steps);

// By the king's owner. Sliders attack up to the first piece; x-ray attacks do not count. For a side
// without a king every square is off the board.
std::array<KingArea, 2> KingAreas(const Position& position, const StepCounts& steps,
                                  const Sights& sights);
std::array<KingArea, 2> KingAreas(const Position& position);

}  // namespace joseki::shogi
