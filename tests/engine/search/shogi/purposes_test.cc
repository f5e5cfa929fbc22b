// Tests shogi's knowledge of moves and roots for the techniques of the older programs.
#include "engine/search/shogi/purposes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/search/move_picker.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/edge_attack.h"
#include "engine/search/shogi/game.h"
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

TEST(YssGroups, ACheckThatIsDiscoveredNeedsNoGain) {
  // The rook on 5i sees the king once the silver leaves the file.
  constexpr char kBattery[] = "4k4/9/3p1s3/9/4S4/9/9/9/K3R4 b - 1";
  EXPECT_EQ(Group(kBattery, "5e6d"), 8) << "a pawn takes the silver";
  EXPECT_EQ(Group(kBattery, "5e6f"), 5) << "nothing does";
  // The move captures here, with the check and without it.
  constexpr char kCapture[] = "4k4/9/3l5/3p5/4S4/9/9/9/K3R4 b - 1";
  EXPECT_EQ(Group(kCapture, "5e6d"), 8);
  EXPECT_EQ(Group("k8/9/3l5/3p5/4S4/9/9/9/K3R4 b - 1", "5e6d"), 17);
}

TEST(YssGroups, TheRootEndsWithOtherOnes) {
  const auto at_root = [](const char* sfen, const char* move) {
    const Position position = At(sfen);
    return YssGroupOf(position, *ParseMove(position, move), Move(), /*at_root=*/true);
  };
  constexpr char kGold[] = "4k4/9/9/9/9/9/9/2G6/K8 b S 1";
  EXPECT_EQ(Group(kGold, "7h6h"), 28);
  EXPECT_EQ(at_root(kGold, "7h6h"), 29);
  EXPECT_EQ(Group(kGold, "S*7i"), kNoYssGroup);
  EXPECT_EQ(at_root(kGold, "S*7i"), kNoYssGroup);
  EXPECT_EQ(at_root("4k4/9/9/9/9/2P6/9/9/K8 b - 1", "7f7e"), 29) << "27 elsewhere";
  EXPECT_EQ(at_root("4k4/9/9/9/9/9/2P6/2L6/K8 b - 1", "7g7f"), 16) << "as elsewhere";
}

// The place of every move of a group by importance, the first first.
std::vector<std::string> ByImportance(const char* sfen, int group) {
  const Position position = At(sfen);
  YssGroups groups(position, Move());
  MoveList moves;
  position.Generate<GenType::kSearch>(moves);
  std::vector<std::pair<int, std::string>> found;
  for (const Move move : moves) {
    if (groups.Of(move) == group)
      found.emplace_back(-groups.ImportanceOf(move, group), ToUsi(move));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [importance, name] : found) names.push_back(name);
  return names;
}

size_t PlaceOf(const std::vector<std::string>& moves, const char* move) {
  const auto place = std::find(moves.begin(), moves.end(), move);
  EXPECT_NE(place, moves.end()) << move;
  return static_cast<size_t>(place - moves.begin());
}

TEST(YssGroups, ThreatsComeInItsOrder) {
  // A bishop on 7c and a gold on 5c can be forked by a knight dropped on 6e; a silver stands on 1c.
  const std::vector<std::string> threats = ByImportance("4k4/9/2b1g3s/9/9/9/9/9/K8 b GSNLP 1", 7);
  const std::vector<const char*> order = {"P*7d", "N*6e", "L*7d", "L*5f", "L*1f", "S*7d"};
  for (size_t i = 1; i < order.size(); ++i) {
    EXPECT_LT(PlaceOf(threats, order[i - 1]), PlaceOf(threats, order[i])) << order[i];
  }
}

TEST(YssGroups, FlightsAreValuedByWhatIsLeftHanging) {
  // Pawns attack the rook on 5e and the silver on 2e. From the second rank the rook guards nothing;
  // on 5e's rank it would.
  const std::vector<std::string> flights = ByImportance("k8/9/9/4p2p1/4R2S1/9/9/9/K8 b - 1", 6);
  EXPECT_LT(PlaceOf(flights, "5e3e"), PlaceOf(flights, "5e5h")) << "it guards the silver too";
}

TEST(YssGroups, HaveTheirLimits) {
  const Position rook = At("k8/9/9/4p4/4R4/9/9/9/K8 b - 1");
  const Position silver = At("k8/9/9/4p4/4S4/9/9/9/K8 b - 1");
  const Position knight = At("k8/9/9/4p4/4N4/9/9/9/K8 b - 1");
  const auto most = [](const Position& position, int group, int plies) {
    return YssGroups(position, Move()).MostOf(group, plies);
  };
  EXPECT_EQ(most(rook, 7, 4), 5);
  EXPECT_GT(most(rook, 7, 3), 500);
  EXPECT_EQ(most(rook, 31, 1), 15);
  EXPECT_EQ(most(rook, 6, 3), 5);
  EXPECT_EQ(most(silver, 6, 3), 4);
  EXPECT_EQ(most(knight, 6, 3), 3);
  EXPECT_GT(most(rook, 6, 2), 500);
  EXPECT_GT(most(rook, 2, 9), 500) << "no number is printed";
}

// Through the picker: no group gives more than its limit, all other moves come once, and the most
// important of a group is its first.
TEST(YssGroups, LimitWhatThePickerGives) {
  const auto history = std::make_unique<History<Shogi>>();
  history->Clear();
  int left_out = 0;
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    if (position.InCheck()) continue;
    MoveList moves;
    position.Generate<GenType::kSearch>(moves);
    YssGroups groups(position, Move());
    std::map<int, std::vector<Move>> by_group;
    for (const Move move : moves) by_group[groups.Of(move)].push_back(move);
    MoveHints hints;
    hints.group_plies = 4;
    MovePicker<Shogi> picker(position, *history, {.order_groups = 1},
                             MovePicker<Shogi>::Scope::kSearch, Move(), hints);
    std::map<int, std::vector<Move>> given;
    for (Move move = picker.Next(); move; move = picker.Next()) {
      given[picker.group()].push_back(move);
    }
    EXPECT_EQ(given.size(), by_group.size()) << text;
    for (const auto& [group, all] : by_group) {
      const auto most = static_cast<size_t>(groups.MostOf(group, 4));
      ASSERT_EQ(given[group].size(), std::min(all.size(), most)) << text << " " << group;
      left_out += static_cast<int>(all.size() - given[group].size());
      int last = std::numeric_limits<int>::max();
      for (const Move move : given[group]) {
        EXPECT_EQ(std::count(given[group].begin(), given[group].end(), move), 1);
        EXPECT_LE(groups.ImportanceOf(move, group), last) << text << " " << ToUsi(move);
        last = groups.ImportanceOf(move, group);
      }
    }
  }
  EXPECT_GT(left_out, 0);
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
      ASSERT_TRUE(group >= 1 && group <= kNoYssGroup) << text << " " << ToUsi(move);
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
