#include "coordinator/offline/search_learning.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "book/database/book_store.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/resignation.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

class SearchLearningTest : public ::testing::Test {
 protected:
  // A run of ten games; `scores` for the moves after the line, the same in each.
  void WriteRun(const std::vector<int16_t>& scores) {
    testing::WriteToyBook(folder_ / "book.sqlite");
    store_ = book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kReadWrite).value();
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(100));
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    EXPECT_TRUE(rows.runs().InsertSnapshot(loaded.row.snapshot, bytes, "").ok());
    EXPECT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, loaded.row.spec);
    RunState state(std::move(loaded), start, RunState::Options{});
    LeaseRow row;
    row.grant = {1, 1, "w", 1, 0, 0, absl::Seconds(90), state.Plan(1, 10)};
    EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
    uint64_t seq = 0;
    for (const PlannedSlot& plan : row.grant.slots) {
      GameRow game = testing::RowOf(plan, 0, testing::PlaySlot(1, 1, plan.slot), ++seq);
      game.scores = scores;
      if (game.book_plies > 0) {
        last_moves_.emplace_back(game.book_plies, game.moves[game.book_plies - 1]);
      }
      EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
    }
  }
  // Every value of the book, by its move.
  std::vector<std::pair<Move, int>> Values() {
    std::vector<std::pair<Move, int>> values;
    EXPECT_TRUE(book::BookStore(*store_)
                    .ForEach([&](const book::BookPosition& position) {
                      for (const book::BookMove& move : position.moves) {
                        if (move.value.has_value()) values.emplace_back(move.move, *move.value);
                      }
                      return absl::OkStatus();
                    })
                    .ok());
    return values;
  }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_;
  std::vector<std::pair<uint32_t, Move>> last_moves_;  // of the lines
};

// The other side moves first after the book: its 100 is the mover's -100.
TEST_F(SearchLearningTest, TakesTheMeanOfTheFirstScores) {
  WriteRun({100, 40, 20, 10'000});
  const auto report = LearnFromSearches(*store_, rules_, 1, 3);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, static_cast<int64_t>(last_moves_.size()));
  const auto values = Values();
  ASSERT_FALSE(values.empty());
  EXPECT_EQ(static_cast<int64_t>(values.size()), report->moves);
  for (const auto& [move, value] : values) EXPECT_EQ(value, -27);  // (-100 + 40 - 20) / 3
  // All four: the last one counts as 3,000.
  ASSERT_TRUE(LearnFromSearches(*store_, rules_, 1, 10).ok());
  for (const auto& [move, value] : Values()) EXPECT_EQ(value, 730);
  EXPECT_EQ(book::BookStore(*store_).Sources()->back().kind, "learn");
}

// An unsearched position gives no sample, whichever side is to move.
TEST_F(SearchLearningTest, PassesOverMovesWithoutAScore) {
  WriteRun({100, kNoScore, 20, kNoScore, 60});
  ASSERT_TRUE(LearnFromSearches(*store_, rules_, 1, 4).ok());
  const auto values = Values();
  ASSERT_FALSE(values.empty());
  for (const auto& [move, value] : values) EXPECT_EQ(value, -60);  // (-100 - 20) / 2
}

TEST_F(SearchLearningTest, NeedsScoresOfThosePositions) {
  WriteRun({kNoScore, kNoScore, 50});
  EXPECT_EQ(ProblemOf(LearnFromSearches(*store_, rules_, 1, 2).status()).code, "no_scores");
  EXPECT_TRUE(Values().empty());
  const auto report = LearnFromSearches(*store_, rules_, 1, 3);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->without_scores, 0);
}

TEST_F(SearchLearningTest, NeedsScores) {
  WriteRun({});
  EXPECT_EQ(ProblemOf(LearnFromSearches(*store_, rules_, 1, 10).status()).code, "no_scores");
  EXPECT_TRUE(Values().empty());
}

}  // namespace
}  // namespace joseki::coordinator
