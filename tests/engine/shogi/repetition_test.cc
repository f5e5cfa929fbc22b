#include "engine/shogi/position.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

constexpr char kShuffle[] = "2h3h 8b7b 3h2h 7b8b";

TEST(Repetition, TheFourthOccurrenceIsADraw) {
  Position position;
  Play(position, kShuffle);
  EXPECT_EQ(position.CheckRepetition(2), Repetition::kDraw);
  EXPECT_EQ(position.CheckRepetition(3), Repetition::kNone);
  Play(position, kShuffle);
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kNone);
  Play(position, kShuffle);
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kDraw);
}

TEST(Repetition, OtherHandsAreAnotherPosition) {
  // The bishops are exchanged and put back, with a pawn more in hand in between.
  Position position;
  Play(position, "7g7f 3c3d");
  const Key before = position.key();
  Play(position, "8h2b+ 3a2b");
  EXPECT_NE(position.key(), before);
  EXPECT_EQ(position.CheckRepetition(2), Repetition::kNone);
}

// Black checks with the gold in hand's place: rook to and fro, White's king to and fro.
constexpr char kChecking[] = "k8/9/9/9/9/9/9/7R1/8K b - 1";

TEST(Repetition, PerpetualCheckLosesForTheChecker) {
  Position position = At(kChecking);
  // 9h+ checks on file 9; the king steps to 8a; 8h checks; the king steps back.
  Play(position, "2h9h 9a8a 9h8h 8a9a");
  Play(position, "8h9h 9a8a 9h8h 8a9a");
  Play(position, "8h9h 9a8a 9h8h 8a9a");
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kNone);
  Play(position, "8h9h");  // White is in check for the fourth time in this position
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kWin)
      << "the side to move was checked all along";
}

TEST(Repetition, SeenFromTheCheckerItIsALoss) {
  Position position = At(kChecking);
  Play(position, "2h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a");
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kLoss);
}

TEST(Repetition, OneQuietMoveMakesItADraw) {
  Position position = At("k8/9/9/9/9/9/9/7R1/8K b - 1");
  // The king goes 9a-8a-9a; Black checks only every other time.
  const char* cycle = "2h9h 9a8a 9h2h 8a9a";
  Play(position, cycle);
  Play(position, cycle);
  Play(position, cycle);
  EXPECT_EQ(position.CheckRepetition(4), Repetition::kDraw);
}

// Black drops a pawn, White's rook takes it and goes home, Black's rook goes out and home again.
constexpr char kGivesAPawn[] = "4k4/1r7/9/9/9/9/9/9/4K3R b P 1";
constexpr char kRound[] = "P*1b 8b1b 1i2i 1b2b 2i1i 2b8b";

TEST(HandRepetition, TellsWhoHasGained) {
  Position position = At(kGivesAPawn);
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kNone);
  Play(position, kRound);
  EXPECT_EQ(position.CheckRepetition(2), Repetition::kNone) << "not the same position";
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kLoss) << "Black has lost a pawn";
  EXPECT_EQ(position.CheckHands().plies_back, 6);
  Play(position, "5i5h 5a5b");
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kNone) << "another placement";
  Play(position, "5h5i 5b5a");
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kLoss);
  EXPECT_EQ(position.CheckHands().plies_back, 10) << "four plies ago the hands were these";
}

TEST(HandRepetition, TheOtherSideSeesAGain) {
  // The kings step out and home around the same sequence, so that White is to move before and
  // after.
  Position position = At("4k4/1r7/9/9/9/9/9/9/4K3R w P 1");
  Play(position, "5a4a P*1b 8b1b 1i2i 1b2b 2i1i 2b8b 5i5h 4a5a 5h5i");
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kWin);
  EXPECT_EQ(position.CheckHands().plies_back, 10);
}

TEST(HandRepetition, PiecesExchangedForOthersAreNoGain) {
  // Black gives a pawn for a lance: neither hand has all that it had.
  Position position = At("4k4/1r7/9/9/9/9/9/9/4K3R b Pl 1");
  Play(position, "P*1b 8b1b 1i2i L*2h 2i2h 1b8b 2h1h 5a5b 1h1i 5b5a");
  ASSERT_EQ(ToSfen(position, 1), "4k4/1r7/9/9/9/9/9/9/4K3R b Lp 1");
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kNone);
}

TEST(HandRepetition, TakingBackForgets) {
  Position position = At(kGivesAPawn);
  Play(position, "P*1b 8b1b 1i2i 1b2b 2i1i");
  Undo undo;
  const Move move = *MoveFromUsi("2b8b");
  position.Do(move, undo);
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kLoss);
  position.TakeBack(move, undo);
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kNone);
  position.Do(move, undo);
  EXPECT_EQ(position.CheckHands().outcome, Repetition::kLoss);
}

TEST(Repetition, TakingBackForgets) {
  Position position;
  Play(position, kShuffle);
  Undo undo;
  const Move move = *MoveFromUsi("2h3h");
  position.Do(move, undo);
  position.TakeBack(move, undo);
  EXPECT_EQ(position.CheckRepetition(2), Repetition::kDraw);
  EXPECT_EQ(position.plies(), 4);
}

}  // namespace
}  // namespace joseki::shogi
