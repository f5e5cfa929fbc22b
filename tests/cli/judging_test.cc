// Games judged by their positions, with players that say what a test tells them.

#include "cli/experiment/judging.h"

#include <atomic>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_rules.h"

namespace joseki::cli {
namespace {

using ::joseki::testing::CodeOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Answers each search by the number of plies played.
class TellingPlayer : public worker::Player {
 public:
  TellingPlayer(std::function<int(size_t plies)> score, std::atomic<int>& searches)
      : score_(std::move(score)), searches_(searches) {}

  absl::Status NewGame(uint64_t) override { return absl::OkStatus(); }
  absl::StatusOr<worker::Choice> Choose(const worker::GameLine& game,
                                        const worker::Limits& limits) override {
    EXPECT_EQ(limits.nodes, 700u);
    ++searches_;
    worker::Choice choice;
    choice.score = score_(game.moves.size());
    return choice;
  }
  void Stop() override {}

 private:
  std::function<int(size_t plies)> score_;
  std::atomic<int>& searches_;
};

class JudgingTest : public ::testing::Test {
 protected:
  JudgingTest() {
    judging_.file = folder_ / "judged.json";
    judging_.nodes = 700;
    judging_.threads = 2;
    Answer([](size_t) { return 0; });
  }

  void Answer(const std::function<int(size_t plies)>& score) {
    judging_.make_player = [this, score] {
      return std::make_unique<TellingPlayer>(score, searches_);
    };
  }

  // A game of single stones; `last` are those of its last move.
  static MatchGame Game(size_t plies, bool a_first, Result result, int last = 1) {
    MatchGame game;
    game.game.a_first = a_first;
    game.start.position = "90-95 b 1";
    for (size_t i = 0; i + 1 < plies; ++i) game.moves.push_back(Move::Board(0, 1));
    game.moves.push_back(Move::Board(1, last));
    game.outcome.ending = {result, Termination::kNoLegalMove};
    return game;
  }

  absl::StatusOr<std::vector<double>> Judge(const std::vector<MatchGame>& games) {
    return JudgeGames(rules_, games, judging_);
  }

  static double Expected(double centipawns) { return 1 / (1 + std::exp(-centipawns / 800)); }

  joseki::testing::TempFolder folder_;
  joseki::testing::ToyRules rules_;
  Judging judging_;
  std::atomic<int> searches_ = 0;
};

TEST_F(JudgingTest, AGameCountsTheMeanOfItsPositionsForA) {
  Answer([](size_t plies) { return static_cast<int>(10 * plies); });
  // The first side is to move at every judged ply.
  const double mean = (Expected(300) + Expected(340) + Expected(380)) / 3;
  const auto judged =
      Judge({Game(42, true, Result::kSecondWins), Game(42, false, Result::kSecondWins)});
  ASSERT_TRUE(judged.ok()) << judged.status();
  EXPECT_THAT(*judged, ElementsAre(DoubleNear(mean, 1e-12), DoubleNear(1 - mean, 1e-12)));
  EXPECT_EQ(searches_, 3);  // both games are the same
}

TEST_F(JudgingTest, AShortGameCountsItsResult) {
  const auto judged =
      Judge({Game(30, true, Result::kFirstWins), Game(20, true, Result::kSecondWins),
             Game(20, false, Result::kSecondWins), Game(20, true, Result::kDraw)});
  ASSERT_TRUE(judged.ok()) << judged.status();
  EXPECT_THAT(*judged, ElementsAre(1, 0, 1, 0.5));
  EXPECT_EQ(searches_, 0);
}

TEST_F(JudgingTest, AWonPositionCountsNoMoreThanThreeThousand) {
  Answer([](size_t) { return 31'990; });
  EXPECT_THAT(*Judge({Game(50, true, Result::kSecondWins)}),
              ElementsAre(DoubleNear(Expected(3000), 1e-12)));
}

TEST_F(JudgingTest, APositionIsSearchedOnce) {
  const std::vector<MatchGame> one = {Game(50, true, Result::kFirstWins)};
  const std::vector<MatchGame> more = {one[0], Game(50, false, Result::kFirstWins),
                                       Game(43, true, Result::kDraw, 2),
                                       Game(42, true, Result::kDraw, 2)};
  ASSERT_TRUE(Judge(one).ok());
  EXPECT_EQ(searches_, 4);
  // Only the last move differs, behind all judged positions.
  ASSERT_TRUE(Judge(more).ok());
  EXPECT_EQ(searches_, 4);
  judging_.make_player = nullptr;
  EXPECT_TRUE(Judge(more).ok());
  MatchGame other = one[0];
  other.moves[33] = Move::Board(1, 1);
  EXPECT_TRUE(absl::IsCancelled(Judge({other}).status()));
}

TEST_F(JudgingTest, KeepsWhatWasFoundBeforeTheEnd) {
  judging_.threads = 1;
  int asked = 0;
  judging_.ended = [&] { return ++asked > 3; };
  const std::vector<MatchGame> games = {Game(50, true, Result::kFirstWins)};
  EXPECT_TRUE(absl::IsCancelled(Judge(games).status()));
  EXPECT_EQ(searches_, 3);
  judging_.ended = nullptr;
  EXPECT_TRUE(Judge(games).ok());
  EXPECT_EQ(searches_, 4);
}

TEST_F(JudgingTest, RefusesScoresOfOtherNodesAndEnginesWithoutScores) {
  const std::vector<MatchGame> games = {Game(50, true, Result::kFirstWins)};
  ASSERT_TRUE(Judge(games).ok());
  judging_.nodes = 800;
  EXPECT_EQ(CodeOf(Judge(games).status()), "bad_scores");
  judging_.nodes = 700;
  for (const char* text : {"", "[]", R"({"nodes":700})", R"({"nodes":700,"scores":{"a":"b"}})",
                           R"({"nodes":700,"scores":{"a":30000}})"}) {
    ASSERT_TRUE(WriteFileAtomically(judging_.file, text).ok());
    EXPECT_EQ(CodeOf(Judge(games).status()), "bad_scores") << text;
  }
  ASSERT_TRUE(WriteFileAtomically(judging_.file, R"({"nodes":700,"scores":{}})").ok());
  Answer([](size_t) { return int{INT16_MIN}; });
  EXPECT_EQ(CodeOf(Judge(games).status()), "no_scores");
}

}  // namespace
}  // namespace joseki::cli
