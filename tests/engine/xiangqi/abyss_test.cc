// C. Ye's experiments: his positions, openings and tables (docs/laboratory/abyss.md).
#include <sstream>
#include <string>

#include "engine/search/xiangqi/engine_options.h"
#include "engine/search/xiangqi/game.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

// The fifty positions of C. Ye's thesis: half of the printed moves are found in a moment.
TEST(Abyss, TheSearchSolvesHalfOfTheSuite) {
  Search<Xiangqi> search(size_t{1} << 22);
  EngineOptions().ApplyTo(search);
  int found = 0;
  const auto rows = testing::ReadTsv(testing::TestData("abyss_suite.tsv"));
  ASSERT_EQ(rows.size(), 50u);
  for (const auto& row : rows) {
    const Position position = At(row[0]);
    const absl::StatusOr<Move> move = ParseMove(position, row[1]);
    ASSERT_TRUE(move.ok()) << row[0];
    search.NewGame();
    SearchLimits limits;
    limits.nodes = 15'000;
    found += search.Run(position, limits).best == *move;
  }
  EXPECT_GE(found, 20);
}

TEST(Abyss, OpeningsLeadToTheirPositions) {
  const auto rows = testing::ReadTsv(testing::TestData("abyss_openings.tsv"));
  ASSERT_EQ(rows.size(), 12u);
  for (const auto& row : rows) {
    Position position;
    Play(position, row[1]);
    EXPECT_EQ(position.key(), At(row[2]).key()) << row[0];
  }
}

// The input of tests/extension_ranking: all option names exist, and the depths are the thesis's.
TEST(Abyss, TablesNameExistingOptions) {
  const auto rows = testing::ReadTsv(testing::TestData("abyss_tables.tsv"));
  EXPECT_EQ(rows.size(), 287u);
  for (const auto& row : rows) {
    std::istringstream words(row[3]);
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      EngineOptions options;
      EXPECT_TRUE(options.Set(word.substr(0, equals), word.substr(equals + 1)).ok())
          << row[0] << ": " << word;
    }
    EXPECT_GE(std::stoi(row[2]), 1);
    EXPECT_LE(std::stoi(row[2]), 7);
    EXPECT_GT(std::stoi(row[5]), 40'000) << row[0];
  }
}

// His conclusions at a small depth: null move and futility save nodes, check extension solves most.
class AbyssSearch : public ::testing::Test {
 protected:
  struct Found {
    uint64_t nodes = 0;
    int hits = 0;
  };

  // The suite with the search of the thesis (tests/extension_ranking) but for `settings`.
  static Found Run(const std::vector<std::string>& settings, int depth) {
    EngineOptions options;
    const std::vector<std::string> base = {
        "CheckExtension=0",    "CheckExtensionParts=32", "NullMove=2",      "Futility=3",
        "LateMovePruning=0",   "SeePruning=0",           "CheckPruning=0",  "LateMoveReduction=0",
        "InternalReduction=0", "Corrections=0",          "RootMateNodes=0", "ContinuationHistory=0",
        "CaptureHistory=0",    "OrderKillers=0",         "RegretMoves=0",   "ReverseFutility=0",
        "QuiescenceEvasions=0"};
    EXPECT_TRUE(SetAll(base, options).ok());
    EXPECT_TRUE(SetAll(settings, options).ok());
    Search<Xiangqi> search(size_t{1} << 19);
    options.ApplyTo(search);
    Found found;
    for (const auto& row : testing::ReadTsv(testing::TestData("abyss_suite.tsv"))) {
      const Position position = At(row[0]);
      search.NewGame();
      SearchLimits limits;
      limits.depth = depth;
      const SearchResult result = search.Run(position, limits);
      found.nodes += result.nodes;
      found.hits += result.best == *ParseMove(position, row[1]);
    }
    return found;
  }
};

TEST_F(AbyssSearch, NullMoveAndFutilitySaveNodes) {
  const uint64_t plain = Run({"NullMove=0", "Futility=0"}, 4).nodes;
  EXPECT_LT(Run({}, 4).nodes, plain * 85 / 100);
}

TEST_F(AbyssSearch, CheckExtensionIsTheBestSingleExtension) {
  const int checks = Run({"CheckExtension=1"}, 3).hits;
  for (const char* other : {"Recapture=2", "KingThreat=1", "PieceEscape=1", "ForcedMove=2"}) {
    EXPECT_GT(checks, Run({other}, 3).hits) << other;
  }
}

// Results found above one ply of null-move quiescence do not apply above two.
TEST_F(AbyssSearch, BothSchedulesOfNullQuiescenceSearchTheSame) {
  const std::vector<std::string> settings = {"NullMove=0", "Futility=0", "NullQuiescence=2",
                                             "NullQuiescenceMaterial=1"};
  const auto by = [&](const std::string& schedule) {
    std::vector<std::string> all = settings;
    all.push_back("NullQuiescenceSchedule=" + schedule);
    return Run(all, 3);
  };
  const Found quiescence_first = by("1");
  const Found main_first = by("2");
  EXPECT_GT(main_first.nodes, quiescence_first.nodes * 7 / 10);
  EXPECT_NEAR(main_first.hits, quiescence_first.hits, 2);
}

}  // namespace
}  // namespace joseki::xiangqi
