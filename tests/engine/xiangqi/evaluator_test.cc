#include "engine/xiangqi/eval/evaluator.h"

#include <limits>

#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/symmetry.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

Value Anew(const Position& position) { return Evaluator().Evaluate(position); }

TEST(XiangqiPhased, SplitsSumsExactly) {
  Phased sum;
  int middle = 0;
  int end = 0;
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    const int a = static_cast<int>(rng.Below(401)) - 200;
    const int b = static_cast<int>(rng.Below(401)) - 200;
    const int times = static_cast<int>(rng.Below(7)) - 3;
    sum += Phased(a, b) * times;
    middle += a * times;
    end += b * times;
    ASSERT_EQ(sum.middle(), middle);
    ASSERT_EQ(sum.end(), end);
  }
  EXPECT_EQ(Phased(100, -60).At(kFullPhase), 100);
  EXPECT_EQ(Phased(100, -60).At(0), -60);
  EXPECT_EQ(Phased(100, -60).At(kFullPhase / 2), 20);
}

// The rules treat both sides, and left and right, alike. So does the evaluation.
TEST(XiangqiEvaluator, IsSymmetric) {
  int unequal = 0;
  for (const Position& position : SamplePositions(31, 40, 3)) {
    const Value value = Anew(position);
    for (const Symmetry symmetry : {Symmetry::kMirror, Symmetry::kTurn, Symmetry::kBoth}) {
      ASSERT_EQ(Anew(Mapped(symmetry, position)), value) << ToFen(position, 1);
    }
    ASSERT_EQ(MaterialBalance(Mapped(Symmetry::kTurn, position)), MaterialBalance(position));
    unequal += value > 100 ? 1 : 0;
  }
  EXPECT_GT(unequal, 100);
}

TEST(XiangqiEvaluator, CachedTermsChangeNoValue) {
  Evaluator evaluator;
  Rng rng(5);
  for (int game = 0; game < 30; ++game) {
    Position position;
    for (int ply = 0; ply < 150; ++ply) {
      ASSERT_EQ(evaluator.Evaluate(position), Anew(position)) << ToFen(position, 1);
      if (!position.InCheck()) {
        Undo undo;
        position.DoNull(undo);
        ASSERT_EQ(evaluator.Evaluate(position), Anew(position));
        position.TakeBackNull(undo);
      }
      MoveList moves;
      if (rng.Below(2) == 0) position.Generate<GenType::kCaptures>(moves);
      if (moves.empty()) position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      // One move is taken back, one stays. Some positions are not evaluated.
      for (int i = 0; i < 2; ++i) {
        const Move move = moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))];
        Undo undo;
        position.Do(move, undo);
        if (rng.Below(3) > 0) {
          ASSERT_EQ(evaluator.Evaluate(position), Anew(position));
        }
        if (i == 0) position.TakeBack(move, undo);
      }
    }
  }
}

TEST(XiangqiEvaluator, NobodyWinsWithoutAttackers) {
  const Position guarded = At("3k5/9/9/9/8P/9/9/4B4/4A4/2BAK4 w - - 0 1");
  const Position alone = At("3k5/9/9/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1");
  EXPECT_GT(Anew(guarded), 0);
  EXPECT_EQ(Anew(alone), 0);
}

TEST(XiangqiMaterial, ChangesWithThePhase) {
  EXPECT_EQ(MaterialBalance(Position()), 0);
  EXPECT_EQ(PhaseOf(Position()), kFullPhase);
  // In an endgame knights are worth more than cannons.
  EXPECT_EQ(MaterialBalance(At("3k5/9/9/9/9/9/9/9/9/4KN3 w - - 0 1")), 893);
  EXPECT_EQ(MaterialBalance(At("3k5/9/9/9/9/9/9/9/9/4KC3 w - - 0 1")), 806);
  EXPECT_EQ(MaterialBalance(At("3k5/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1")), 200);
  EXPECT_EQ(MaterialBalance(At("3k5/9/9/9/9/4P4/9/9/9/4K4 b - - 0 1")), -100);
}

}  // namespace
}  // namespace joseki::xiangqi
