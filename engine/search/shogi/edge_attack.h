#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

// The edge attack of TACOS (J. Nagashima, section 5.2): on the ninth file, by the side whose rook
// stays at home, against a king that has gone where its rook was. Squares are those of an attack by
// Black; White's attack is the same board turned round.
//
// The thesis decides whether a root is ripe by features mined from 100,000 games, which it does not
// print. Here the bounds of its study decide: places of both kings, no bear in the hole, the edge
// pawns on 9d and 9f with nothing between, a pawn in hand, opening and middle game over.
namespace joseki::shogi {

// For the side to move.
bool IsRipeForEdgeAttack(const Position& position);

// The pawn push that begins it for the side to move, from 9f to 9e; Move() where there is none. Not
// checked for legality.
Move EdgeAttackStart(const Position& position);

// Whether a legal `move`, of either side, belongs to an attack by `attacker`. Such moves go to 9a
// to 9d or 8a to 8f. A pawn, lance, knight, silver or gold makes them, or a piece promoted to a
// gold.
bool BelongsToEdgeAttack(const Position& position, Move move, Color attacker);

}  // namespace joseki::shogi
