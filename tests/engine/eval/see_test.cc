#include "engine/eval/see.h"

#include "engine/eval/material.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

// The greatest threshold that the exchange reaches.
Value See(const char* sfen, const char* text) {
  const Position position = At(sfen);
  const auto move = ParseMove(position, text);
  EXPECT_TRUE(move.ok()) << text << ": " << move.status();
  Value low = -10000;
  Value high = 10000;
  while (low < high) {
    const Value middle = low + (high - low + 1) / 2;
    if (SeeAtLeast(position, *move, middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

TEST(See, ALoosePieceIsWonWhole) {
  EXPECT_EQ(See("4k4/9/9/4p4/9/9/9/4R4/4K4 b - 1", "5h5d"), CaptureValue(kPawn));
}

TEST(See, AGuardedPawnCostsTheRook) {
  EXPECT_EQ(See("4k4/9/4g4/4p4/9/9/9/4R4/4K4 b - 1", "5h5d"),
            CaptureValue(kPawn) - CaptureValue(kRook));
}

TEST(See, ALanceBehindTheRookTakesPartInTheExchange) {
  EXPECT_EQ(See("4k4/9/4g4/4p4/9/9/4R4/4L4/4K4 b - 1", "5g5d"),
            CaptureValue(kPawn) - CaptureValue(kRook) + CaptureValue(kGold));
}

TEST(See, TheOtherSideNeedNotTakeBack) {
  // Pawn takes gold; the rook that could take back would be lost to the lance.
  EXPECT_EQ(See("4k4/4r4/9/4g4/4P4/9/9/4L4/4K4 b - 1", "5e5d"), CaptureValue(kGold));
}

TEST(See, AKingTakesOnlyWhatIsNotGuarded) {
  EXPECT_EQ(See("4k4/4p4/4P4/9/9/9/9/9/4K4 b - 1", "5c5b"),
            CaptureValue(kPawn) - CaptureValue(kPawn));
  EXPECT_EQ(See("4k4/4p4/4P4/4L4/9/9/9/9/4K4 b - 1", "5c5b"), CaptureValue(kPawn));
}

TEST(See, ADropCanBeLost) {
  EXPECT_EQ(See("4k4/9/4p4/9/9/9/9/9/4K4 b G 1", "G*5d"), -CaptureValue(kGold));
  EXPECT_EQ(See("4k4/9/4p4/9/9/9/9/9/4K4 b G 1", "G*4d"), 0);
}

TEST(See, PromotionCounts) {
  EXPECT_EQ(See("8k/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+"), PromotionGain(kPawn));
}

}  // namespace
}  // namespace joseki::shogi
