#pragma once

#include <array>
#include <cstdint>

#include "engine/shogi/eval/recent.h"
#include "engine/shogi/eval/sights.h"
#include "engine/shogi/position.h"

// The eight squares beside each king: the pieces there, and the number of attacks by both sides.
namespace joseki::shogi {

inline constexpr int kBeside = 8;
// Kinds of a square: empty, with a piece of the king's side or with one of the other, each with 0
// to 3 attacks (or more) by the other side and 0 to 2 (or more) by the king's, but for the king
// itself; the last: off the board.
inline constexpr int kBesideClasses = 3 * 4 * 3 + 1;
inline constexpr int kBesideInputs = kBeside * kBesideClasses;
inline constexpr int kHoldings = 4;  // by the pieces but pawns that the other side holds

struct KingArea {
  // One for each square: where it lies from the king as its owner sees it, mirrored if the king
  // stands left of the middle, and its class.
  alignas(16) std::array<uint16_t, kBeside> inputs;
  uint8_t holding;
};

// Number of attacks by pieces of either side on each square beside a king, in bytes.
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

// Attacks of pieces by a step, by the king's owner, sliders not counted: computed afresh, or
// updated from a position with those kings from which `changes` lead to this one.
using StepCounts = std::array<AttackCounts, 2>;
StepCounts CollectSteps(const Position& position);
void AdvanceSteps(const Position& position, const Changes& changes,
                  const std::array<Square, 2>& kings_before, StepCounts& steps);

// By the king's owner. Sliders see as far as the first piece; what stands behind does not count. Of
// a side without a king every square is off the board.
std::array<KingArea, 2> KingAreas(const Position& position, const StepCounts& steps,
                                  const Sights& sights);
std::array<KingArea, 2> KingAreas(const Position& position);

}  // namespace joseki::shogi
