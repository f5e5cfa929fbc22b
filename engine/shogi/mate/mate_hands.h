#pragma once

#include "engine/shogi/mate/mate_hand.h"
#include "engine/shogi/position.h"

// Computes proof and disproof hands move by move (A. Nagai 2002; hands of proven and disproven
// positions go back to M. Seo). All hands are the attacker's.
namespace joseki::shogi {

// Addition to the attacker's hand that prevents the defender from meeting a check by dropping a
// type that it lacks now. It consists of all pieces of that type. REQUIRES: the side to move is the
// defender, in check.
MateHand HeldBack(const Position& position, Color attacker);

// Upper bound of the attacker's hand such that a newly acquired type adds no checking drop. Types
// already held, or unable to give check, are unbounded. REQUIRES: the attacker is to move.
MateHand NoNewChecks(const Position& position, Color attacker);

// The proof hand before an attacker's move, given the proof hand `after` it.
MateHand ProofHandBefore(const Position& position, Move move, MateHand after);
// The disproof hand before an attacker's move, given the disproof hand `after` it.
MateHand DisproofHandBefore(const Position& position, Move move, MateHand after);

// `hand` clamped to the pieces that both sides hold.
MateHand CutToHands(const Position& position, MateHand hand);

}  // namespace joseki::shogi
