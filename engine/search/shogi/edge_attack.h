#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

// The edge attack of TACOS (J. Nagashima, section 5.2). The side whose rook stays at home makes it
// on the ninth file, against a king that has gone where its own rook was. Squares are those of an
// attack by Black; for White the board is turned.
//
// The thesis decides whether a root is ripe by features mined from 100,000 games, which it does not
// print. This code uses the study's bounds: the places of both kings, no bear in the hole, edge
// pawns on 9d and 9f, nothing between. A pawn in hand is required too, and opening and middle game
// must be over.
namespace joseki::shogi {

// Whether the side to move may begin such an attack.
bool IsRipeForEdgeAttack(const Position& position);

// The pawn push from 9f to 9e with which the side to move begins; Move() if there is none. Legality
// is not checked.
Move EdgeAttackStart(const Position& position);

// Whether a legal `move` of either side belongs to an attack by `attacker`. Such moves go to 9a-9d
// or 8a-8f, by a pawn, lance, knight, silver, gold or a piece promoted to a gold.
bool BelongsToEdgeAttack(const Position& position, Move move, Color attacker);

}  // namespace joseki::shogi
