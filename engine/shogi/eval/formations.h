#pragma once

#include "engine/shogi/position.h"

// Formations after TACOS (J. Nagashima, section 4): tables of squares that make search build a
// castle, and others by which a finished one is judged.
namespace joseki::shogi {

// How a side plays, by where its rook stands.
enum class Strategy : uint8_t {
  kStatic,    // on its own side, the king goes to the other
  kFloating,  // the same, the rook on its fifth or sixth rank
  kRanging,   // on the king's side: the king goes where the rook was
};
Strategy StrategyOf(const Position& position, Color side);

// A castle on 5 x 5 squares, the corner where it is built.
struct RecognisedFormation {
  const char* name = nullptr;
  int pieces = 0;              // that it has
  int in_place = 0;            // of them
  const char* goal = nullptr;  // that is built from it: itself or a better one

  bool complete() const { return in_place == pieces; }
};
// The blueprint of the side's strategy that has most pieces in place; of several the first named.
RecognisedFormation FormationNearest(const Position& position, Color side);

// While the goal is not complete, how far its pieces have come (the tables for making); once it is,
// what it is worth (those for judging). Fades as pieces leave the board.
int FormationOf(const Position& position, Color side);

}  // namespace joseki::shogi
