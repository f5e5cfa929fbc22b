#pragma once

#include "engine/shogi/position.h"

// Terms of YSS 7.0 (H. Yamashita). Choices that its description leaves open are ours and stated
// here.
namespace joseki::shogi {

// Deduction for the second, third, ... piece of a type in hand. Gold's series 90, 40, 10, 0 and the
// first piece of each type are YSS's, the others ours. The plain evaluation's uniform bonus is
// subtracted.
int HandSeries(const Position& position, Color side);

// Cost of attacked squares beside the king, by the piece there and the majority of attackers. Golds
// and silvers that wall the king in cost, too. A quarter of YSS's points; of that, half beside the
// king and a quarter below it.
int KingNeighbours(const Position& position, Color side);

// Cost of pins: a twelfth of the pinned piece's value.
int Pins(const Position& position, Color side);

// A piece's value by its distance from both kings, once four pieces have left the board. It is a
// quarter of the difference that the larger of the two rates makes. Lances and knights are looked
// up one rank further on; they and pawns count half. `obstructed`: a rook's or dragon's gain in the
// other camp is divided by one more than the number of obstacles. Obstacles are pieces on its way
// along the rank to the other king's file. With a pawn of the other side on its last rank among
// them, the divisor is at least four.
int KingDistance(const Position& position, Color side, bool obstructed = false);
// Rates in percent for a piece `files` files apart and `ahead` ranks in front of the king, as the
// king's owner sees it.
int RateToEnemyKing(int files, int ahead);
int RateToOwnKing(int files, int ahead);

// Value of a king that advances up the board, by YSS's steps, less on inner files. In the other
// camp the distance to a declaration also counts: points and pieces there.
int EnteringKing(const Position& position, Color side);

// Sum of terms: pawns on the third to fifth rank by the opposing pieces; a rook without an own pawn
// ahead; a king without one. The rook counts more if no pawn of the other side stands ahead of it.
// YSS's points, until four pieces have left the board. A pawn on the third rank, for which YSS
// gives no number, counts 10.
int VanguardPawns(const Position& position, Color side);

}  // namespace joseki::shogi
