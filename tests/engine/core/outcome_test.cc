#include "engine/core/outcome.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Outcome, EveryTerminationHasANameThatLeadsBack) {
  for (int value = 0; value <= 37; ++value) {
    const auto termination = static_cast<Termination>(value);
    if (Name(termination) == "unknown") continue;
    EXPECT_EQ(TerminationOf(Name(termination)), termination) << value;
  }
  EXPECT_EQ(Name(Termination::kPerpetualCheck), "perpetual_check");
  EXPECT_EQ(TerminationOf("unknown"), std::nullopt);
}

TEST(Outcome, OnlyFaultsAreFaults) {
  EXPECT_FALSE(IsFault(Termination::kResign));
  EXPECT_FALSE(IsFault(Termination::kMaxPlies));
  EXPECT_TRUE(IsFault(Termination::kIllegalMove));
  EXPECT_TRUE(IsFault(Termination::kInterrupted));
}

TEST(Move, KeepsItsParts) {
  const Move board = Move::Board(60, 59);
  EXPECT_EQ(board.from(), 60);
  EXPECT_EQ(board.to(), 59);
  EXPECT_FALSE(board.is_drop());
  EXPECT_FALSE(board.promotes());
  const Move drop = Move::Drop(7, 40);
  EXPECT_TRUE(drop.is_drop());
  EXPECT_EQ(drop.dropped(), 7);
  EXPECT_TRUE(Move::Board(80, 0, true).promotes());
  EXPECT_FALSE(Move());
}

}  // namespace
}  // namespace joseki
