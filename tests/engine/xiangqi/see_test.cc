#include "engine/xiangqi/eval/see.h"

#include <algorithm>

#include "engine/xiangqi/eval/material.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

constexpr PieceType kOrder[] = {kPawn, kAdviser, kElephant, kKnight, kCannon, kRook, kKing};

// The first piece of `side`, by kind and square, that may go to `to`; kNoSquare if none.
Square CheapestTaker(const Board& board, Color side, Square to) {
  for (const PieceType t : kOrder) {
    for (Square s = 0; s < kSquareCount; ++s) {
      if (board.piece(s) == MakePiece(side, t) && Has(board.MovesFrom(s), to)) return s;
    }
  }
  return kNoSquare;
}

void Take(Board& board, Square from, Square to) {
  if (board.piece(to) != kNoPiece) board.Remove(to);
  board.Shift(from, to);
}

// Best gain of `side` on `to` by capturing on a real board or not capturing.
Value BestExchange(Board board, Color side, Square to) {
  const Square from = CheapestTaker(board, side, to);
  if (from == kNoSquare) return 0;
  const Value prize = CaptureValue(board.piece(to), to);
  const bool by_king = TypeOf(board.piece(from)) == kKing;
  Take(board, from, to);
  if (by_king && CheapestTaker(board, ~side, to) != kNoSquare) return 0;
  return std::max(0, prize - BestExchange(board, ~side, to));
}

TEST(XiangqiSee, EqualsThePlayedExchange) {
  size_t moves = 0;
  size_t losing = 0;
  size_t long_ones = 0;
  for (const Position& position : SamplePositions(41, 40, 2)) {
    MoveList list;
    position.Generate<GenType::kAll>(list);
    for (const Move move : list) {
      Board after = position.board();
      Take(after, move.from(), move.to());
      const Value prize = CaptureValue(position.piece(move.to()), move.to());
      const Value back = BestExchange(after, ~position.side_to_move(), move.to());
      const Value exact = prize - back;
      for (const Value least : {exact - 1, exact, exact + 1, -100, 0, 1, 300}) {
        ASSERT_EQ(SeeAtLeast(position, move, least), exact >= least)
            << ToFen(position, 1) << " " << ToUcci(move) << " " << exact << " " << least;
      }
      ++moves;
      losing += exact < 0;
      long_ones += prize > 0 && back > 0 && exact > 0;
    }
  }
  EXPECT_GT(moves, 50000u);
  EXPECT_GT(losing, 2000u);
  EXPECT_GT(long_ones, 50u);
}

// A cannon loses its screen when that piece captures. A cannon whose screen stays recaptures.
TEST(XiangqiSee, FollowsTheScreensOfCannons) {
  // The rook on e4 was the screen of the cannon on e1. After it has captured on e6 nothing stands
  // between, and the elephant captures for free.
  const Position lost = At("4ka3/9/4b4/9/9/4n4/4R4/9/4C4/3K5 w - - 0 1");
  const Move takes = *MoveFromUcci("e3e4");
  EXPECT_TRUE(SeeAtLeast(lost, takes, 850));
  const Position guarded = At("4ka3/9/9/2p1p1p2/4n4/4R4/9/9/4C4/3K5 w - - 0 1");
  // Knight for rook: the pawn takes, and the cannon has no screen.
  EXPECT_FALSE(SeeAtLeast(guarded, *MoveFromUcci("e4e5"), -900));
  const Position screened = At("4ka3/9/9/2p1p1p2/4n4/4R4/4P4/9/4C4/3K5 w - - 0 1");
  // With a screen it recaptures the pawn.
  EXPECT_TRUE(SeeAtLeast(screened, *MoveFromUcci("e4e5"), -850));
}

}  // namespace
}  // namespace joseki::xiangqi
