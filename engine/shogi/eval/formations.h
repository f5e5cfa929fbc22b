#pragma once

#include "engine/shogi/position.h"

// Formations after TACOS (J. Nagashima, section 4). One set of square tables makes the search build
// a castle, another judges a finished one.
namespace joseki::shogi {

// A side's strategy, by the place of its rook.
enum class Strategy : uint8_t {
  kStatic,    // rook on its own side, king on the other
  kFloating,  // as kStatic, with the rook on its fifth or sixth rank
  kRanging,   // rook on the king's side, king where the rook was
};
Strategy StrategyOf(const Position& position, Color side);

// A castle on the 5 x 5 squares of the corner where it is built.
struct RecognisedFormation {
  const char* name = nullptr;
  int pieces = 0;              // number of its pieces
  int in_place = 0;            // pieces in place
  const char* goal = nullptr;  // castle that is being built: this one or a better one

  bool complete() const { return in_place == pieces; }
};
// The castle of the side's strategy with most pieces in place; among equals the first listed.
RecognisedFormation FormationNearest(const Position& position, Color side);

// The castle that a side begins with while no blueprint is near, by both sides' strategies (ours).
// A side that knows neither its castle nor the other's takes what suits most positions of the kind.
const char* ProvisionalCastle(Strategy own, Strategy other);

// Before the goal is complete, the progress of its pieces (tables for building); afterwards its
// worth (tables for judging). Fades as pieces leave the board. `provisional`: where fewer than two
// pieces of the nearest blueprint are in place, the goal is the provisional castle.
int FormationOf(const Position& position, Color side, bool provisional = false);

}  // namespace joseki::shogi
