#pragma once

#include "engine/shogi/mate/mate_hand.h"
#include "engine/shogi/position.h"

// Steps of proof and disproof hands, move by move (A. Nagai 2002; hands of proven and disproven
// positions go back to M. Seo). All hands are the attacker's.
namespace joseki::shogi {

// Additions to the attacker's hand so that a check cannot be met by dropping a kind that the
// defender lacks now: all pieces of that kind. The side to move is the defender, in check.
MateHand HeldBack(const Position& position, Color attacker);

// Upper bound on the attacker's hand such that a newly acquired kind adds no checking drop. Kinds
// already held, or that could not check, are unbounded. The side to move is the attacker.
MateHand NoNewChecks(const Position& position, Color attacker);

// The proof hand before a move of the attacker, if `after` is the one behind it.
MateHand ProofHandBefore(const Position& position, Move move, MateHand after);
// The step of a disproof hand.
MateHand DisproofHandBefore(const Position& position, Move move, MateHand after);

// `hand` cut down to what both sides hold.
MateHand CutToHands(const Position& position, MateHand hand);

}  // namespace joseki::shogi
