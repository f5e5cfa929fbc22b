#pragma once

#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/depth.h"
#include "engine/search/tt.h"

// Records shared between the steps of a node, its parents and children, and the techniques of
// engine/search/papers/.
namespace joseki::search_internal {

// Value of a perpetual check: decided only when the game gets there, so near a mate, but not one.
inline constexpr Value kValueRepetitionWin = kValueMateInMaxPly - 1;

// Value of a repetition that gains pieces: above every evaluation, below forced results.
inline constexpr Value kValueHandGain = 25000;

// Frame::depends of a value that is independent of the path.
inline constexpr int kIndependent = kMaxPly + 1;

constexpr bool Has(Bound bound, Bound part) {
  return (static_cast<int>(bound) & static_cast<int>(part)) != 0;
}

// State of one ply of the current line, for its node, its parent and its children.
struct Frame {
  Key key;
  Move move;      // the move being searched here; Move() for a pass
  int piece = 0;  // piece that makes the move
  Move killers[2];
  Move excluded;            // in a singular test: the move not to be searched here
  uint32_t code = 0;        // code of `move` in History; 0: a pass
  Value eval = kValueNone;  // kValueNone in check
  Move regret[2];           // the best reply to a pass here, and our answer to it
  bool cut = false;         // an expected cut node
  // Smallest ply whose position the value depends on by a repetition; kIndependent if none.
  int depends = 0;
};

// Facts about the root that nodes ask for.
struct RootFacts {
  int depth = 0;       // of the iteration, in plies
  Value material = 0;  // balance, for the side to move
  Color side = Color::kFirst;
};

// Facts about a node, filled in by its steps in turn.
struct Node {
  int ply;
  int depth;  // in fractions of a ply
  bool pv;
  bool in_check = false;
  bool improving = false;  // the side to move has a better evaluation than two plies ago
  bool hit = false;        // the table has the position
  Value eval = kValueNone;
  Value raw_eval = kValueNone;        // without corrections, as stored in the table
  Value passed = -kValueInfinite;     // a lower bound from a pass, if usable
  int passed_depends = kIndependent;  // Frame::depends of that value
  TtData known = {};

  int plies() const { return depth / kPly; }
};

// A move that is about to be searched.
struct Candidate {
  Move move;
  int index;  // index among the moves of its node
  bool quiet;
  bool loses = false;  // loses material, and therefore comes last
  int history = 0;     // of a quiet move
  // Used by engine/search/papers/ only.
  int group = 0;           // group of an order by groups; 0: a hint, before all groups
  int extension = 0;       // fractions of a ply, known before the move is played
  int cost = kPly;         // fractions of a ply
  bool unreduced = false;  // re-searched: its extension is applied, no reduction
};

}  // namespace joseki::search_internal
