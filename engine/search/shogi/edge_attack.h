#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

// The edge attack of TACOS (J. Nagashima, section 5.2): on the ninth file, by the side whose rook
// stays at home, against a king that has gone where its rook was. Squares are as Black has them who
// attacks; White's attack is the same board turned round.
//
// Whether a root is ripe the thesis asks of features mined from 100,000 games and does not print;
// here it is what bounded its study: where both kings stand, no bear in the hole, the edge pawns on
// 9d and 9f with nothing between, a pawn in hand, opening and middle game over.
namespace joseki::shogi {

// For the side to move.
bool IsRipeForEdgeAttack(const Position& position);

// The pawn push that begins it for the side to move, from 9f to 9e; Move() where there is none. Not
// checked for legality.
Move EdgeAttackStart(const Position& position);

// Whether a legal `move`, of either side, belongs to an attack by `attacker`: a pawn, lance,
// knight, silver or gold, or one promoted to a gold, to 9a to 9d or 8a to 8f.
bool BelongsToEdgeAttack(const Position& position, Move move, Color attacker);

}  // namespace joseki::shogi
