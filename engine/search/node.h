#pragma once

#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/depth.h"
#include "engine/search/tt.h"

// Records that the steps of a node share with one another, with parents and children, and with the
// techniques of engine/search/papers/.
namespace joseki::search_internal {

// Perpetual checks are won or lost only when the game gets there: near a mate, but not one.
inline constexpr Value kValueRepetitionWin = kValueMateInMaxPly - 1;

// Pieces gained for nothing, which can be done again: above every evaluation, below what is forced.
inline constexpr Value kValueHandGain = 25000;

// Frame::depends of a value that holds whatever led to its position.
inline constexpr int kIndependent = kMaxPly + 1;

constexpr bool Has(Bound bound, Bound part) {
  return (static_cast<int>(bound) & static_cast<int>(part)) != 0;
}

// State of one ply of the present line, for its node, the parent and the children.
struct Frame {
  Key key;
  Move move;      // being searched here; Move() for a pass
  int piece = 0;  // that makes it
  Move killers[2];
  Move excluded;            // a singular test: not to be searched here
  uint32_t code = 0;        // of `move` in History; 0: a pass
  Value eval = kValueNone;  // kValueNone in check
  Move regret[2];           // the best reply to a pass here, and our answer to it
  bool cut = false;         // the node is expected to fail high
  // The least ply on whose position the value rests because of a repetition; kIndependent if none.
  int depends = 0;
};

// A move of the root, with what the present iteration has found of it.
struct RootMove {
  Move move;
  Value value = -kValueInfinite;
  uint64_t nodes = 0;    // below it, in this iteration
  Value bonus = 0;       // of its value, as the first move of a line
  bool doubted = false;  // a mate that answers it was looked for
  int mated_in = 0;      // plies, with it, of the mate that was found; 0: none
};

// Facts about a node that its steps find one after the other.
struct Node {
  int ply;
  int depth;  // in parts of a ply
  bool pv;
  bool in_check = false;
  bool improving = false;  // the side to move stands better than two plies ago
  bool hit = false;        // the table knows the position
  Value eval = kValueNone;
  Value raw_eval = kValueNone;        // without corrections, as the table keeps it
  Value passed = -kValueInfinite;     // a lower bound that a pass has shown, where one may count
  int passed_depends = kIndependent;  // Frame::depends of that value
  TtData known = {};

  int plies() const { return depth / kPly; }
};

// A move that is about to be searched.
struct Candidate {
  Move move;
  int index;  // of the moves of its node
  bool quiet;
  bool loses = false;  // material, so that it comes last
  int history = 0;     // of a quiet move
  // For engine/search/papers/ alone.
  int group = 0;           // of an order by groups; 0: remembered, before all groups
  int extension = 0;       // parts of a ply, known before the move is played
  int cost = kPly;         // parts of a ply
  bool unreduced = false;  // searched again: its extension is all that it gets
};

}  // namespace joseki::search_internal
