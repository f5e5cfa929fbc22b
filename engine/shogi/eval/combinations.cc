#include "engine/shogi/eval/combinations.h"

#include <span>

#include "engine/shogi/eval/combinations_mined.h"

namespace joseki::shogi {
namespace {

constexpr Combination kByHand[] = {
    // The gold on 4i is loose between high Mino and silver crown.
    {-40, {{kKing, 2, 8}, {kSilver, 2, 7}, {kGold, 4, 7}, {kGold, 4, 9}}},
    {30, {{kKing, 2, 8}, {kSilver, 3, 8}, {kGold, 4, 9}, {kGold, 5, 8}}},   // Mino
    {30, {{kKing, 2, 8}, {kSilver, 2, 7}, {kGold, 3, 8}, {kGold, 4, 7}}},   // silver crown
    {30, {{kKing, 8, 8}, {kGold, 7, 8}, {kGold, 6, 7}, {kSilver, 7, 7}}},   // Yagura
    {30, {{kKing, 9, 9}, {kLance, 9, 8}, {kSilver, 8, 8}, {kGold, 7, 9}}},  // bear in the hole
    {15, {{kGold, 7, 8}, {kSilver, 6, 7}, {kSilver, 5, 7}, {kGold, 5, 8}}},
    // A king beside its rook: one fork hits both.
    {-40, {{kKing, 3, 8}, {kRook, 2, 8}}},
    {-30, {{kKing, 4, 8}, {kRook, 2, 8}}},
    {-40, {{kKing, 2, 8}, {kRook, 3, 8}}},
    // A gold guards the square in front of the advanced knight.
    {15, {{kKnight, 3, 7}, {kGold, 4, 7}}},
    {15, {{kKnight, 3, 7}, {kGold, 4, 8}}},
    {-15, {{kKnight, 3, 7}, {kGold, 4, 9}, {kSilver, 3, 9}}},
    // Golds far from a king that has gone to the corner.
    {-20, {{kKing, 8, 8}, {kGold, 4, 9}, {kGold, 6, 9}}},
    {-25, {{kKing, 8, 8}, {kGold, 3, 8}, {kGold, 4, 8}}},
    // Climbing silver.
    {15, {{kRook, 2, 8}, {kSilver, 2, 6}, {kPawn, 2, 5}}},
    // The bishop is blocked in.
    {-20, {{kBishop, 8, 8}, {kSilver, 7, 7}, {kPawn, 7, 6}, {kGold, 7, 8}}},
};

Square Actual(Color side, int file, int rank) {
  const Square s = MakeSquare(file, rank);
  return side == kBlack ? s : kSquareCount - 1 - s;
}

bool Stands(const Position& position, Color side, const Combination& combination, bool mirrored) {
  for (const CombinationPiece& piece : combination.pieces) {
    if (piece.type == kNoPieceType) continue;
    const int file = mirrored ? 10 - piece.file : piece.file;
    if (position.piece(Actual(side, file, piece.rank)) != MakePiece(side, piece.type)) return false;
  }
  return true;
}

int SumOf(std::span<const Combination> combinations, const Position& position, Color side,
          bool mirrored) {
  int sum = 0;
  for (const Combination& combination : combinations) {
    if (Stands(position, side, combination, mirrored)) sum += combination.value;
  }
  return sum;
}

}  // namespace

int CombinationsByHand(const Position& position, Color side) {
  return SumOf(kByHand, position, side, false) + SumOf(kByHand, position, side, true);
}

bool IsMirrored(Square king, Color side) {
  return FileOf(side == kBlack ? king : kSquareCount - 1 - king) > 5;
}

int MinedCombinations(const Position& position, Color side) {
  const Square king = position.king(side);
  if (king == kNoSquare) return 0;
  return SumOf(kMinedCombinations, position, side, IsMirrored(king, side));
}

}  // namespace joseki::shogi
