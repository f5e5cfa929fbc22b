#pragma once

#include "engine/shogi/position.h"

// Groups of features of Bonanza (K. Hoki) that the other evaluations lack. Its weights are not
// printed; each group has one size here, which is ours.
namespace joseki::shogi {

// Pieces attacked by the side's lances, knights, bishops and rooks, promoted bishops and rooks too:
// a fortieth of each piece's value, nothing for a king.
int AttackedKinds(const Position& position, Color side);

// Own pawns on the squares of a colour that an own bishop, promoted or not, goes to: -4 each.
int BishopPawns(const Position& position, Color side);

// Attacks on the 25 squares round the own king: for each more of the other side than of the own,
// -8 beside the king and on its square, -3 two squares off. The king itself does not count.
int KingRegion(const Position& position, Color side);

}  // namespace joseki::shogi
