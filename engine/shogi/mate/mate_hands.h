#pragma once

#include "engine/shogi/mate/mate_hand.h"
#include "engine/shogi/position.h"

// How proof and disproof hands come about, move by move (A. Nagai 2002; hands of proven and
// disproven positions go back to M. Seo). All of it is from the attacker's hand.
namespace joseki::shogi {

// What the attacker must hold besides, so that a check cannot be met by dropping a kind that the
// defender lacks now: all that there is of it. The side to move is the defender, in check.
MateHand HeldBack(const Position& position, Color attacker);

// What he holds at most if new kinds in his hand shall give no new checks: without limit in kinds
// that he holds, or that could not check. The side to move is the attacker.
MateHand NoNewChecks(const Position& position, Color attacker);

// The proof hand before a move of the attacker, if `after` is the one behind it.
MateHand ProofHandBefore(const Position& position, Move move, MateHand after);
// The same of a disproof hand.
MateHand DisproofHandBefore(const Position& position, Move move, MateHand after);

// `hand` cut down to what both sides hold.
MateHand CutToHands(const Position& position, MateHand hand);

}  // namespace joseki::shogi
