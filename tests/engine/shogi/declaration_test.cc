#include "engine/shogi/position.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

// Black's king and ten small pieces in the camp: 10 points on the board, the rest in hand.
std::string BlackCamp(const std::string& hand) {
  return "K1GGGGSSS/S3LL3/2NN5/9/9/9/9/9/8k b " + hand + " 1";
}

TEST(Declaration, BlackNeedsTwentyEight) {
  // 4 golds, 4 silvers, 2 knights, 2 lances = 12 in the camp; 2 rooks and 1 bishop in hand = 15.
  EXPECT_EQ(At(BlackCamp("2RB")).DeclarationPoints(), 27);
  EXPECT_FALSE(At(BlackCamp("2RB")).CanDeclare27());
  EXPECT_EQ(At(BlackCamp("2RBP")).DeclarationPoints(), 28);
  EXPECT_TRUE(At(BlackCamp("2RBP")).CanDeclare27());
}

TEST(Declaration, WhiteNeedsTwentySeven) {
  const std::string camp = "K8/9/9/9/9/9/2nn5/s3ll3/1sssggggk w ";
  EXPECT_EQ(At(camp + "2rb 1").DeclarationPoints(), 27);
  EXPECT_TRUE(At(camp + "2rb 1").CanDeclare27());
  EXPECT_EQ(At(camp + "2r4p 1").DeclarationPoints(), 26);
  EXPECT_FALSE(At(camp + "2r4p 1").CanDeclare27());
}

TEST(Declaration, BigPiecesInTheCampCountFive) {
  // 10 others: dragon, horse (5 each) and 8 golds and silvers.
  EXPECT_EQ(At("K1GGGGSSS/S+R+B6/9/9/9/9/9/9/8k b 9P 1").DeclarationPoints(), 8 + 10 + 9);
}

TEST(Declaration, OutsideTheCampNothingCounts) {
  EXPECT_EQ(At("K1GGGGSSS/S3LL3/2NN5/+R+R+B6/9/9/9/9/8k b P 1").DeclarationPoints(), 13);
}

TEST(Declaration, NeedsTheKingInTheCamp) {
  EXPECT_EQ(At("2GGGGSSS/S3LL3/2NN5/K8/9/9/9/9/8k b 2RBP 1").DeclarationPoints(), -1);
}

TEST(Declaration, NeedsTenPiecesInTheCamp) {
  EXPECT_EQ(At("K1GGGGSSS/S8/2NN5/9/9/9/9/9/8k b 2R9P 1").DeclarationPoints(), 10 + 10 + 9);
  EXPECT_EQ(At("K1GGGGSSS/S8/2N6/9/9/9/9/9/8k b 2R9P 1").DeclarationPoints(), -1);
}

TEST(Declaration, NotInCheck) {
  EXPECT_EQ(At("K1GGGGSSS/S3LL3/2NN5/9/r8/9/9/9/8k b RBP 1").DeclarationPoints(), 23);
  EXPECT_EQ(At("K1GGGGSSS/1S2LL3/2NN5/9/r8/9/9/9/8k b RBP 1").DeclarationPoints(), -1);
}

}  // namespace
}  // namespace joseki::shogi
