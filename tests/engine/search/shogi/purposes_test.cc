// Tests shogi's knowledge of moves and roots for the techniques of the older programs.
#include "engine/search/shogi/purposes.h"

#include <algorithm>
#include <set>
#include <string>

#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/edge_attack.h"
#include "engine/search/shogi/knowledge.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

int Group(const char* sfen, const char* move, Move last = Move()) {
  const Position position = At(sfen);
  return YssGroupOf(position, *ParseMove(position, move), last);
}

TEST(YssGroups, AreToldByWhatTheMoveDoes) {
  // A rook on 5e; a loose bishop on 5b, a pawn on 3e that a gold on 3d guards.
  constexpr char kCaptures[] = "8k/4b4/9/6g2/4R1p2/9/9/9/4K4 b - 1";
  EXPECT_EQ(Group(kCaptures, "5e5b+"), 2);
  EXPECT_EQ(Group(kCaptures, "5e5b+", Move::Board(MakeSquare(4, 1), MakeSquare(5, 2))), 1);
  EXPECT_EQ(Group(kCaptures, "5e3e"), 17) << "a pawn for a rook";
  EXPECT_EQ(Group(kCaptures, "5i4i"), 25);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/9/K8 b RP 1", "P*5b"), 14) << "the king takes it";
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/9/K8 b RP 1", "R*5i"), 5);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/9/K8 b G 1", "G*5b"), 9);
  EXPECT_EQ(Group("4k4/9/9/2s6/9/9/9/9/K8 b P 1", "P*7e"), 19);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/9/K8 b P 1", "P*7d"), 18);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/9/K8 b P 1", "P*7h"), 31);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/2P6/2L6/K8 b - 1", "7g7f"), 16);
  EXPECT_EQ(Group("4k4/9/9/9/9/2P6/9/9/K8 b - 1", "7f7e"), 27);
  EXPECT_EQ(Group("4k4/9/9/9/9/9/9/2G6/K8 b - 1", "7h6h"), 28);
  EXPECT_EQ(Group("4k4/9/2P6/9/9/9/9/9/K8 b - 1", "7c7b+"), 3);
  // A silver on 5f that a pawn on 5e is about to take steps aside.
  EXPECT_EQ(Group("4k4/9/9/9/4p4/4S4/9/9/K8 b - 1", "5f6e"), 6);
  // A knight that attacks a rook and a gold.
  EXPECT_EQ(Group("k8/9/3r1g3/9/9/9/9/9/K8 b N 1", "N*5e"), 7);
}

// Asked round by round, a group below the bound is the group, and any other the bound.
TEST(YssGroups, AreFoundRoundByRoundAsAtOnce) {
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    MoveList moves;
    position.Generate<GenType::kSearch>(moves);
    YssGroups groups(position, Move());
    for (const int below : YssGroups::kRounds) {
      for (const Move move : moves) {
        EXPECT_EQ(groups.Of(move, below), std::min(YssGroupOf(position, move, Move()), below))
            << text << " " << ToUsi(move);
      }
    }
  }
}

TEST(YssGroups, BelongByDistanceAndByPliesLeft) {
  const Position opening;
  const Position ending =
      At("6k1l/3+BPsg2/1p3pnpp/+Ss7/p5pP1/2pB5/PP1P1nP1P/2G6/LN1KG2+r+s b "
         "GNL2Prl2p 1");
  EXPECT_TRUE(YssGroupBelongs(opening, 2, 7, 1));
  EXPECT_FALSE(YssGroupBelongs(opening, 7, 7, 1));
  EXPECT_TRUE(YssGroupBelongs(opening, 7, 7, 2));
  EXPECT_FALSE(YssGroupBelongs(opening, 13, 7, 2));
  EXPECT_TRUE(YssGroupBelongs(opening, 17, 2, 3));
  EXPECT_FALSE(YssGroupBelongs(opening, 17, 3, 3));
  EXPECT_TRUE(YssGroupBelongs(opening, 28, 2, 3));
  EXPECT_FALSE(YssGroupBelongs(ending, 28, 2, 3)) << "no opening";
  EXPECT_FALSE(YssGroupBelongs(opening, 31, 2, 3));
  EXPECT_TRUE(YssGroupBelongs(ending, 31, 1, 3)) << "the root has them all";
}

int Category(const char* sfen, const char* move, Move last = Move()) {
  const Position position = At(sfen);
  return TacosCategoryOf(position, *ParseMove(position, move), last);
}

TEST(TacosCategories, AreToldByWhatTheMoveDoes) {
  EXPECT_EQ(Category("4k4/9/9/9/4r4/9/9/9/4K4 b - 1", "5i4i"), 1);
  // White threatens a gold on 5h, beside its promoted pawn; the king steps away.
  EXPECT_EQ(Category("4k4/9/9/9/9/9/4+p4/9/4K4 b G2g 1", "G*5h"), 2);
  constexpr char kCaptures[] = "8k/4b4/9/6g2/4R1p2/9/9/9/4K4 b - 1";
  EXPECT_EQ(Category(kCaptures, "5e5b+", Move::Board(MakeSquare(4, 1), MakeSquare(5, 2))), 3);
  EXPECT_EQ(Category(kCaptures, "5e5b+"), 4);
  EXPECT_EQ(Category("4k4/9/2P6/9/9/9/9/9/K8 b - 1", "7c7b+"), 6);
  EXPECT_EQ(Category("4k4/9/9/9/9/9/9/9/K8 b R 1", "R*5i"), 7);
  EXPECT_EQ(Category("4k4/9/9/9/4p4/4S4/9/9/K8 b - 1", "5f6e"), 8);
  EXPECT_EQ(Category("k8/9/3r1g3/9/9/9/9/9/8K b N 1", "N*5e"), 18);
}

TEST(Purposes, EveryMoveOfEveryPositionHasOneInRangeAndManyComeUp) {
  std::set<int> groups;
  std::set<int> categories;
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      const int group = YssGroupOf(position, move, Move());
      const int category = TacosCategoryOf(position, move, Move());
      ASSERT_TRUE(group >= 1 && group <= kYssGroups) << text << " " << ToUsi(move);
      ASSERT_TRUE(category >= 1 && category <= kTacosCategories) << text << " " << ToUsi(move);
      groups.insert(group);
      categories.insert(category);
    }
  }
  EXPECT_GE(groups.size(), 18u);
  EXPECT_GE(categories.size(), 12u);
}

// White's king on 8b behind edge pawns that face each other, Black's castle at home.
constexpr char kRipe[] =
    "lnsg4l/1k1s1rg2/1ppp1p1pp/p5p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b B2Pbsn 1";

TEST(EdgeAttack, IsRipeWhereTheStudyOfTacosLooked) {
  const Position ripe = At(kRipe);
  EXPECT_TRUE(IsRipeForEdgeAttack(ripe));
  EXPECT_EQ(ToUsi(EdgeAttackStart(ripe)), "9f9e");
  EXPECT_FALSE(IsRipeForEdgeAttack(Position()));
  // No pawn in hand; the king elsewhere; nothing to begin with.
  EXPECT_FALSE(IsRipeForEdgeAttack(
      At("lnsg4l/1k1s1rg2/1ppp1p1pp/p5p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b Bb2psn 1")));
  EXPECT_FALSE(IsRipeForEdgeAttack(
      At("lnsg4l/3s1rg2/1ppp1p1pp/pk4p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b B2Pbsn 1")));
  // The position before the exchange of a pawn, still in the middle game.
  const Position early =
      At("lnsg4l/1k1s1rg2/1ppp1p1pp/p3p1p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b BPbsn 1");
  EXPECT_EQ(StageOf(early), 1);
  EXPECT_FALSE(IsRipeForEdgeAttack(early));
  EXPECT_FALSE(EdgeAttackStart(Position()));
}

TEST(EdgeAttack, IsTheSameTurnedRound) {
  const Position turned =
      At("ln5nl/1r2g1gk1/1p1p1psp1/2p1p1p1p/9/2P5P/PP1P1PPP1/2GR1S1K1/L4GSNL w BSNb2p 1");
  EXPECT_TRUE(IsRipeForEdgeAttack(turned));
  EXPECT_EQ(ToUsi(EdgeAttackStart(turned)), "1d1e");
  EXPECT_FALSE(BelongsToEdgeAttack(turned, *ParseMove(turned, "1d1e"), kWhite))
      << "the first move is not yet in the zone";
  EXPECT_TRUE(BelongsToEdgeAttack(turned, Move::Drop(kPawn, MakeSquare(1, 8)), kWhite));
  EXPECT_FALSE(BelongsToEdgeAttack(turned, Move::Drop(kPawn, MakeSquare(1, 8)), kBlack));
  EXPECT_TRUE(BelongsToEdgeAttack(turned, Move::Drop(kKnight, MakeSquare(2, 6)), kWhite));
  EXPECT_FALSE(BelongsToEdgeAttack(turned, Move::Drop(kRook, MakeSquare(1, 8)), kWhite));
}

}  // namespace
}  // namespace joseki::shogi
