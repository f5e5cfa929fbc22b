#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/xiangqi/types.h"

// Features of a side that the evaluation counts: a number each, weighted by one weight for the
// middle game and one for the end. The features of a group are contiguous from the group's first
// number. The order is that of weights.h, which the learner writes: a new feature goes to the end
// or requires new training.
namespace joseki::xiangqi {

struct Weight {
  int16_t middle = 0;
  int16_t end = 0;
};

// Squares as the side sees them, with the right half mirrored to the left.
inline constexpr int kHalfSquares = 5 * kRanks;
constexpr int HalfSquare(Color c, Square s) {
  const int file = FileOf(s);
  return RelativeRank(c, s) * 5 + (file < 5 ? file : kFiles - 1 - file);
}

inline constexpr int kMaterial = 0;                         // [piece type]
inline constexpr int kPlace = kMaterial + kPieceTypeCount;  // [piece type][half square]
inline constexpr int kRookReach = kPlace + kPieceTypeCount * kHalfSquares;  // [squares 0-17]
inline constexpr int kCannonReach = kRookReach + 18;    // [squares 0-17], without capturing
inline constexpr int kKnightReach = kCannonReach + 18;  // [squares 0-8]
inline constexpr int kCannonAims = kKnightReach + 9;    // pieces that cannons may capture
inline constexpr int kCannonOnFile =
    kCannonAims + 1;  // [pieces between it and the king 0-2]: 0 is a head cannon
inline constexpr int kCannonOnRank = kCannonOnFile + 3;
inline constexpr int kRookOnFile = kCannonOnRank + 3;
inline constexpr int kRookOnRank = kRookOnFile + 3;
inline constexpr int kHeldByKings = kRookOnRank + 3;  // sole piece between the kings
inline constexpr int kPalaceSquares =
    kHeldByKings + 1;  // [rook, cannon, knight, pawn]: attacked squares of the palace
inline constexpr int kSiege =
    kPalaceSquares + 4;  // [pieces 0-5 that attack the palace][the palace's advisers 0-2]
inline constexpr int kRooksAdvisers = kSiege + 18;  // [rooks 0-2][the other side's advisers 0-2]
inline constexpr int kRooksElephants = kRooksAdvisers + 9;
inline constexpr int kCannonsAdvisers = kRooksElephants + 9;
inline constexpr int kCannonsElephants = kCannonsAdvisers + 9;
inline constexpr int kKnightsAdvisers = kCannonsElephants + 9;
inline constexpr int kCannonsScreens =
    kKnightsAdvisers + 9;  // [cannons 0-2][own advisers and elephants 0-4]
inline constexpr int kCannonsKnights = kCannonsScreens + 15;  // [cannons 0-2][knights 0-2]
inline constexpr int kCrossedPawns = kCannonsKnights + 9;     // [pawns across the river 0-5]
inline constexpr int kLinkedPawns = kCrossedPawns + 6;        // pairs side by side across the river
// [to move or not][piece type]: attacked and unguarded.
inline constexpr int kLoose = kLinkedPawns + 1;
inline constexpr int kUnderCheap =
    kLoose + 2 * kPieceTypeCount;  // [to move or not][piece type]: attacked by a cheaper type
inline constexpr int kGuarded = kUnderCheap + 2 * kPieceTypeCount;  // [piece type]
inline constexpr int kTempo = kGuarded + kPieceTypeCount;
inline constexpr int kFeatureCount = kTempo + 1;

}  // namespace joseki::xiangqi
