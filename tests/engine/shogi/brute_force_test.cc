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

TEST(BruteForce, DoLeadsWhereTheRulesLead) {
  for (Position position : SamplePositions(22, 10, 10)) {
    for (const Move move : Generated(position)) {
      BruteBoard after(position);
      after.Play(move);
      Undo undo;
      position.Do(move, undo);
      for (Square s = 0; s < kSquareCount; ++s) ASSERT_EQ(position.piece(s), after.piece(s));
      ASSERT_EQ(position.side_to_move(), after.side());
      ASSERT_EQ(position.InCheck(), after.InCheck(after.side())) << ToSfen(position, 1);
      ASSERT_EQ(position.key(), position.ComputeKey());
      // A board made anew from the text knows the same of itself, down to every set of squares.
      const Position anew = At(ToSfen(position, 1));
      for (int t = kPawn; t < kPieceTypeCount; ++t) {
        const auto kind = static_cast<PieceType>(t);
        for (const Color c : {kBlack, kWhite})
          ASSERT_EQ(position.pieces(c, kind), anew.pieces(c, kind));
      }
      ASSERT_EQ(position.golds(), anew.golds());
      ASSERT_EQ(position.occupied(), anew.occupied());
      ASSERT_EQ(position.checkers(), anew.checkers());
      for (const Color c : {kBlack, kWhite}) {
        ASSERT_EQ(position.king(c), anew.king(c));
        ASSERT_EQ(position.hand(c), anew.hand(c));
      }
      position.TakeBack(move, undo);
    }
  }
}

}  // namespace
}  // namespace joseki::shogi
