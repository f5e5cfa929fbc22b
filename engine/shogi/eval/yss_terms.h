#pragma once

#include "engine/shogi/position.h"

// Terms of YSS 7.0 (H. Yamashita). Choices that its description leaves open are ours and stated
// here.
namespace joseki::shogi {

// Deduction for the second, third, ... piece of a type in hand. Gold's series 90, 40, 10, 0 and the
// first piece of each type are YSS's, the others ours. The plain evaluation's uniform bonus is
// subtracted.
int HandSeries(const Position& position, Color side);

// Cost of attacked squares beside the king, by the piece there and the majority of attackers, and
// of golds and silvers that wall the king in. A quarter of YSS's points; of that, half beside the
// king and a quarter below it.
int KingNeighbours(const Position& position, Color side);

// Cost of pins: a twelfth of the pinned piece's value.
int Pins(const Position& position, Color side);

// A piece's value by its distance from both kings: its value times the greater rate, a quarter of
// the difference, once four pieces have left the board. Lances and knights are looked up a rank
// further on, and they and pawns count half.
int KingDistance(const Position& position, Color side);
// Rates in percent for a piece `files` files apart and `ahead` ranks in front of the king, as the
// king's owner sees it.
int RateToEnemyKing(int files, int ahead);
int RateToOwnKing(int files, int ahead);

// The value of a king that comes up the board, by YSS's steps, less on inner files; in the other
// camp also by how near it is to a declaration: points and pieces there.
int EnteringKing(const Position& position, Color side);

// Pawns on the third to fifth rank by the pieces against them, a rook whose file has no own pawn,
// more if no pawn of the other side guards it, and a king without a pawn ahead: YSS's points, as
// long as four pieces have not left the board. A pawn on the third rank, which has no number there,
// counts 10.
int VanguardPawns(const Position& position, Color side);

}  // namespace joseki::shogi
