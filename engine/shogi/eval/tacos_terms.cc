#include "engine/shogi/eval/tacos_terms.h"

#include "engine/shogi/attacks.h"

namespace joseki::shogi {

int LanceMobility(const Position& position, Color side) {
  constexpr int kSquare = 4;
  const Occupancy occupied(position.occupied());
  int squares = 0;
  ForEach(position.pieces(side, kLance), [&](Square s) {
    squares += (Attacks(side, kLance, s, occupied) - position.occupied(side)).Count();
  });
  return kSquare * squares;
}

}  // namespace joseki::shogi
