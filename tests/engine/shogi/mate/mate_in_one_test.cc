#include "engine/shogi/mate/mate_in_one.h"

#include <sstream>

#include "base/rng.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

bool Mates(Position& position, Move move) {
  Undo undo;
  position.Do(move, undo);
  const bool mate = position.InCheck() && !position.HasLegalMove();
  position.TakeBack(move, undo);
  return mate;
}

// Every legal move tried.
bool AnyMate(Position& position) {
  MoveList moves;
  position.Generate<GenType::kAll>(moves);
  for (const Move move : moves) {
    if (Mates(position, move)) return true;
  }
  return false;
}

TEST(MateInOne, FindsThemAll) {
  for (const auto& row : testing::ReadTsv(testing::TestData("mates.tsv"))) {
    if (row.size() != 2) continue;  // a comment
    Position position = At(row[1]);
    const Move move = MateInOne(position);
    EXPECT_EQ(static_cast<bool>(move), AnyMate(position)) << row[1];
    if (move) {
      EXPECT_TRUE(Mates(position, move)) << row[1];
    }
  }
}

TEST(MateInOne, NeverByADroppedPawn) {
  Position position = At("7lk/9/7GG/9/9/9/9/9/4K4 b P 1");
  const Move move = MateInOne(position);
  EXPECT_NE(move, *MoveFromUsi("P*1b"));
  EXPECT_EQ(static_cast<bool>(move), AnyMate(position));
}

TEST(MateInOne, IsAsRightAsTryingEveryMove) {
  int mates = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng(seed);
    Position position;
    for (int ply = 0; ply < 300; ++ply) {
      const Move move = MateInOne(position);
      ASSERT_EQ(static_cast<bool>(move), AnyMate(position)) << ToSfen(position, 1);
      if (move) {
        ASSERT_TRUE(Mates(position, move)) << ToSfen(position, 1) << " " << ToUsi(move);
        ++mates;
      }
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
    }
  }
  EXPECT_GT(mates, 20);
}

}  // namespace
}  // namespace joseki::shogi
