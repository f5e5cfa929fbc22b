// The generator and do-move against rules done the obvious way.
#include "gtest/gtest.h"
#include "tests/support/brute_rules.h"
#include "tests/support/sample_positions.h"

namespace joseki::shogi {
namespace {

std::set<Move> Generated(const Position& position) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  return {moves.begin(), moves.end()};
}

TEST(BruteForce, GeneratedMovesAreTheLegalOnes) {
  size_t moves = 0;
  for (const Position& position : SamplePositions(21, 40, 3)) {
    const std::set<Move> legal = BruteBoard(position).LegalMoves();
    ASSERT_EQ(Generated(position), legal) << ToSfen(position, 1);
    moves += legal.size();
  }
  EXPECT_GT(moves, 50000u);
}

// Down to every set of squares.
void ExpectTheSame(const Position& a, const Position& b) {
  for (Square s = 0; s < kSquareCount; ++s) ASSERT_EQ(a.piece(s), b.piece(s));
  for (const Color c : {kBlack, kWhite}) {
    for (int t = kPawn; t < kPieceTypeCount; ++t) {
      ASSERT_EQ(a.pieces(c, static_cast<PieceType>(t)), b.pieces(c, static_cast<PieceType>(t)));
    }
    ASSERT_EQ(a.king(c), b.king(c));
    ASSERT_EQ(a.hand(c), b.hand(c));
    ASSERT_EQ(a.occupied(c), b.occupied(c));
  }
  ASSERT_EQ(a.golds(), b.golds());
  ASSERT_EQ(a.checkers(), b.checkers());
  ASSERT_EQ(a.side_to_move(), b.side_to_move());
  ASSERT_EQ(ToSfen(a, 1), ToSfen(b, 1));
}

TEST(BruteForce, DoLeadsWhereTheRulesLeadAndTakeBackReturns) {
  for (const Position& before : SamplePositions(22, 10, 10)) {
    Position position = before;
    for (const Move move : Generated(position)) {
      BruteBoard after(position);
      after.Play(move);
      Undo undo;
      position.Do(move, undo);
      for (Square s = 0; s < kSquareCount; ++s) ASSERT_EQ(position.piece(s), after.piece(s));
      ASSERT_EQ(position.side_to_move(), after.side());
      ASSERT_EQ(position.InCheck(), after.InCheck(after.side())) << ToSfen(position, 1);
      ASSERT_EQ(position.key(), position.ComputeKey());
      // A board set up from the text agrees in all derived state.
      ExpectTheSame(position, At(ToSfen(position, 1)));
      position.TakeBack(move, undo);
      ExpectTheSame(position, before);
      ASSERT_EQ(position.key(), before.key());
      ASSERT_EQ(position.plies(), before.plies());
    }
  }
}

}  // namespace
}  // namespace joseki::shogi
