#include <fstream>
#include <set>
#include <string>

#include "base/problem.h"
#include "engine/search/xiangqi/bench.h"
#include "engine/search/xiangqi/engine_options.h"
#include "engine/search/xiangqi/game.h"
#include "gtest/gtest.h"
#include "tests/engine/xiangqi/mates_file.h"
#include "tests/support/data.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

SearchResult RunTo(const Position& position, int depth) {
  Search<Xiangqi> search(size_t{1} << 22);
  search.SetOptions(kDefaultOptions);
  SearchLimits limits;
  limits.depth = depth;
  return search.Run(position, limits);
}

TEST(XiangqiBench, PositionsAreSoundAndDiffer) {
  std::set<std::string> seen;
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    EXPECT_STREQ(position.Flaw(), "") << text;
    EXPECT_TRUE(seen.insert(ToFen(position, 1)).second) << text << " twice";
  }
  EXPECT_EQ(seen.size(), 20u);
}

// A commit that changes search, evaluation, rules or positions also changes the recorded number.
TEST(XiangqiBench, HasTheRecordedSignature) {
  std::ifstream file(testing::TestData("../engine/xiangqi/bench_signature.txt"));
  uint64_t recorded = 0;
  ASSERT_TRUE(file >> recorded);
  EXPECT_EQ(BenchSignature(), recorded);
}

TEST(XiangqiSearch, FindsMates) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  Search<Xiangqi> search(size_t{1} << 22);
  search.SetOptions(kDefaultOptions);
  const std::vector<KnownMate> mates = KnownMates(path, 3, 4);
  int found = 0;
  for (const KnownMate& mate : mates) {
    search.NewGame();
    SearchLimits limits;
    limits.nodes = 50'000;
    found += search.Run(At(mate.fen), limits).value > kValueMateInMaxPly;
  }
  // Some of the known lines need a weak defence.
  EXPECT_GE(found, static_cast<int>(mates.size()) * 8 / 10);
}

// A side that alone gives check throughout loses.
TEST(XiangqiSearch, ValuesPerpetualCheckAsALoss) {
  // Red's only hope is checks along the ranks; Black mates otherwise.
  const Position position = At("4k4/R8/9/9/9/9/9/4p4/3p1p3/4K4 w - - 0 1");
  EXPECT_LT(RunTo(position, 10).value, -1000);
}

// Perpetual check draws where the rule makes every repetition a draw.
TEST(XiangqiSearch, FollowsTheRepetitionRuleOfItsOptions) {
  const Position position = At("4k4/R8/9/9/9/9/9/4p4/3p1p3/4K4 w - - 0 1");
  Search<Xiangqi> search(size_t{1} << 22);
  SearchLimits limits;
  limits.depth = 10;
  const auto value = [&](const char* rule) {
    EngineOptions options;
    EXPECT_TRUE(options.Set(kRepetitionOption, rule).ok());
    options.ApplyTo(search);
    search.NewGame();
    return search.Run(position, limits).value;
  };
  EXPECT_LT(value("asian"), -1000);
  EXPECT_LT(value("check"), -1000);
  EXPECT_EQ(value("draw"), 0);
  EngineOptions options;
  EXPECT_EQ(ProblemOf(options.Set(kRepetitionOption, "league")).code, "bad_option");
  EXPECT_EQ(options.repetition, RepetitionRule::kAsian);
  EXPECT_TRUE(EngineOptions::Has(kRepetitionOption));
}

TEST(XiangqiSearch, AvoidsRepetitionWhenAhead) {
  Position position = At("4ka3/4a4/4b4/9/9/9/9/4B4/4A4/R2AK4 w - - 0 1");
  Play(position, "a0a1 e7g9 a1a0 g9e7 a0a1 e7g9");
  const SearchResult result = RunTo(position, 8);
  Undo undo;
  position.Do(result.best, undo);
  EXPECT_EQ(Xiangqi::CheckRepetition(Evaluator(), position, 1), Repetition::kNone)
      << ToUcci(result.best);
  EXPECT_GT(result.value, 500);
}

TEST(XiangqiSearch, IsDeterministicWithinItsNodes) {
  for (const uint64_t nodes : {1000u, 4321u}) {
    Search<Xiangqi> search(size_t{1} << 22);
    search.SetOptions(kDefaultOptions);
    SearchLimits limits;
    limits.nodes = nodes;
    const Position position = At(BenchPositions()[7]);
    const SearchResult first = search.Run(position, limits);
    search.NewGame();
    const SearchResult second = search.Run(position, limits);
    EXPECT_LE(first.nodes, nodes);
    EXPECT_EQ(first.best, second.best);
    EXPECT_EQ(first.value, second.value);
    EXPECT_EQ(first.nodes, second.nodes);
  }
}

// The game provides everything that a technique asks for, and the node limit stays exact.
TEST(XiangqiSearch, RunsWithEveryTechniqueAtOnce) {
  SearchOptions options;
  for (const SearchOption& option : SearchOptionTable()) {
    options.*option.field = option.is_switch() ? 1 : std::min(option.most, option.least + 3);
  }
  Search<Xiangqi> search(size_t{1} << 20);
  search.SetOptions(options);
  SearchLimits limits;
  limits.nodes = 2000;
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    search.NewGame();
    const SearchResult result = search.Run(position, limits);
    EXPECT_LE(result.nodes, limits.nodes);
    EXPECT_TRUE(position.IsLegal(result.best)) << text;
  }
}

TEST(XiangqiKnowledge, PassingNeedsAPieceThatCanWait) {
  EXPECT_TRUE(Xiangqi::MayPass(Position()));
  EXPECT_FALSE(Xiangqi::MayPass(At("4ka3/9/9/9/9/9/4P4/9/9/R3K4 w - - 0 1")));
  EXPECT_TRUE(Xiangqi::MayPass(At("4ka3/9/9/9/9/9/4P4/9/9/RN2K4 w - - 0 1")));
}

TEST(XiangqiKnowledge, CountsSquaresBesideTheKingAndEscapes) {
  const Position position = At("3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1");
  EXPECT_EQ(Xiangqi::KingPressure(position, kRed), 0);
  const Position near = At("4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1");
  EXPECT_EQ(Xiangqi::KingPressure(near, kRed), 1);  // e8
  // The rook is attacked by the knight on g2.
  const Position attacked = At("4k4/9/9/9/9/9/9/6n2/8R/3K5 w - - 0 1");
  EXPECT_TRUE(Xiangqi::EscapesAttack(attacked, *MoveFromUcci("i1i8"), Move()));
  EXPECT_FALSE(Xiangqi::EscapesAttack(attacked, *MoveFromUcci("d0d1"), Move()));
}

TEST(XiangqiKnowledge, AThreatIsMetByFlightGuardAndScreen) {
  // Black's cannon on e7 could take the knight on e2 over the pawn on e6.
  const Position position = At("3k5/9/4c4/4p4/9/9/9/4N4/9/5K2R w - - 0 1");
  const Move threat = *MoveFromUcci("e7e2");
  EXPECT_TRUE(Xiangqi::Meets(position, *MoveFromUcci("e2c3"), threat)) << "flight";
  EXPECT_TRUE(Xiangqi::Meets(position, *MoveFromUcci("i0i2"), threat)) << "guard";
  EXPECT_TRUE(Xiangqi::Meets(position, *MoveFromUcci("i0e0"), threat)) << "guard from behind";
  EXPECT_FALSE(Xiangqi::Meets(position, *MoveFromUcci("i0i9"), threat));
  EXPECT_FALSE(Xiangqi::Meets(position, *MoveFromUcci("f0f1"), threat));
}

}  // namespace
}  // namespace joseki::xiangqi
