// Attacks, and who attacks a square, against rays walked step by step.
#include "engine/shogi/attacks.h"

#include <set>

#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/brute_rules.h"
#include "tests/support/sample_positions.h"

namespace joseki::shogi {
namespace {

// Attacks of a piece on `s`, computed by walking over a bitboard.
Bitboard Walked(Square s, Bitboard occupied, int first, int last) {
  Bitboard reached;
  for (int d = first; d <= last; ++d) {
    int file = FileOf(s) + kFileStep[d];
    int rank = RankOf(s) + kRankStep[d];
    while (file >= 1 && file <= 9 && rank >= 1 && rank <= 9) {
      const Square to = MakeSquare(file, rank);
      reached |= Bit(to);
      if (Has(occupied, to)) break;
      file += kFileStep[d];
      rank += kRankStep[d];
    }
  }
  return reached;
}

TEST(Attacks, SlidersStopAtTheFirstPieceInEveryDirection) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    // From nearly empty to nearly full.
    Bitboard occupied;
    const uint64_t density = 1 + rng.Below(99);
    for (Square s = 0; s < kSquareCount; ++s) {
      if (rng.Below(100) < density) occupied |= Bit(s);
    }
    const Occupancy lines(occupied);
    for (Square s = 0; s < kSquareCount; ++s) {
      ASSERT_EQ(LanceAttacks(kBlack, s, occupied), Walked(s, occupied, kNorth, kNorth)) << s;
      ASSERT_EQ(LanceAttacks(kWhite, s, occupied), Walked(s, occupied, kSouth, kSouth)) << s;
      ASSERT_EQ(FileAttacks(s, occupied), Walked(s, occupied, kNorth, kSouth)) << s;
      ASSERT_EQ(RookAttacks(s, lines), Walked(s, occupied, kNorth, kWest)) << s;
      ASSERT_EQ(BishopAttacks(s, lines), Walked(s, occupied, kNorthEast, kSouthEast)) << s;
      ASSERT_EQ(RookAttacks(s, occupied), RookAttacks(s, lines));
      ASSERT_EQ(BishopAttacks(s, occupied), BishopAttacks(s, lines));
    }
  }
}

Bitboard SetOf(const std::set<Square>& squares) {
  Bitboard set;
  for (const Square s : squares) set |= Bit(s);
  return set;
}

TEST(Attackers, AgreeWithTheBoardSquareBySquare) {
  for (const Position& position : SamplePositions(5, 12, 7)) {
    const BruteBoard board(position);
    for (const Color c : {kBlack, kWhite}) {
      BruteBoard without_king = board;
      if (board.King(~c) != kNoSquare) without_king.Clear(board.King(~c));
      for (Square s = 0; s < kSquareCount; ++s) {
        ASSERT_EQ(position.Attackers(c, s, position.occupied()), SetOf(board.Attackers(c, s)))
            << ToSfen(position, 1) << " " << s;
        if (s != board.King(~c)) {
          ASSERT_EQ(position.AttackersThroughKing(c, s), SetOf(without_king.Attackers(c, s)))
              << ToSfen(position, 1) << " " << s;
        }
      }
    }
  }
}

TEST(Attackers, ABishopReachesThroughTheKing) {
  const Position position = At("9/9/6k2/5B3/9/9/9/9/4K4 w - 1");
  const Square behind = MakeSquare(2, 2);
  EXPECT_FALSE(position.IsAttacked(kBlack, behind));
  EXPECT_EQ(position.AttackersThroughKing(kBlack, behind), Bit(MakeSquare(4, 4)));
}

}  // namespace
}  // namespace joseki::shogi
