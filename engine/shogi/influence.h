#pragma once

#include <array>
#include <cstdint>

#include "engine/core/bitboard.h"
#include "engine/shogi/position.h"

// Who bears on a square, as an exchange there would see it (YSS keeps such lists for every square;
// here they are asked for where they are needed). Pins are left out.
namespace joseki::shogi {

struct Influence {
  Bitboard direct;  // could take there now
  // Sliders that could once those in front of them have gone, of either side, which themselves bear
  // on the square. Kings do not go.
  Bitboard battery;

  int Count() const { return (direct | battery).Count(); }
};

// Of the pieces of `c`. A piece of its own side on `s` is guarded rather than attacked.
Influence InfluenceOn(const Position& position, Color c, Square s);

// How many pieces of `c` attack each square directly.
std::array<uint8_t, kSquareCount> AttackCounts(const Position& position, Color c);

}  // namespace joseki::shogi
