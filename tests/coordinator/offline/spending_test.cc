#include "coordinator/offline/spending.h"

#include <memory>
#include <string>

#include "base/problem.h"
#include "coordinator/runs/run_load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

class SpendingTest : public ::testing::Test {
 protected:
  // Adds a run of `games` games, interleaved with `other` games of another run.
  void Play(const RunSpec& spec, uint64_t games, uint64_t other = 0) {
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(spec);
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    ASSERT_TRUE(rows.runs()
                    .InsertSnapshot(loaded.row.snapshot, bytes, loaded.graph->SerializeLinks())
                    .ok());
    ASSERT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, loaded.row.spec);
    RunState state(std::move(loaded), start, RunState::Options{});
    uint64_t seq = 0;
    for (LeaseId lease = 1; state.evidence().counters().games < games; ++lease) {
      LeaseRow row;
      row.grant = {lease, 1, "w", 1, state.row().stage, 0, absl::Seconds(90), state.Plan(lease, 5)};
      ASSERT_FALSE(row.grant.slots.empty());
      ASSERT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
      for (const PlannedSlot& plan : row.grant.slots) {
        const GameRow game =
            testing::RowOf(plan, row.grant.stage, testing::PlaySlot(1, lease, plan.slot), ++seq);
        ASSERT_EQ(*rows.games().Insert(game), Inserted::kNew);
        state.Credit(game, plan, true);
      }
      seq += other;
      if (state.Advance()) {
        ASSERT_TRUE(rows.runs().Update(state.row()).ok());
      }
    }
  }
  SpendingReport Read(size_t most) {
    const auto report = ReadSpending(*store_, rules_, 1, most);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : SpendingReport();
  }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_ =
      book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate).value();
};

TEST_F(SpendingTest, ShowsWhereTheGamesOfLateWent) {
  Play(testing::ToySpec(1200, "ucb1"), 1200, /*other=*/7);
  const SpendingReport report = Read(1000);
  EXPECT_EQ(report.recent_games, kRecentGames);
  EXPECT_GT(report.games, 500u);
  EXPECT_LE(report.games, 1200u) << "identical ones once";
  EXPECT_EQ(report.rule.error, 0.05);
  EXPECT_GT(report.left, 0);
  EXPECT_GT(report.gain, 0);
  ASSERT_EQ(report.top.size(), report.reached);
  EXPECT_LE(report.reached, report.positions);
  uint64_t settled = 0;
  for (size_t i = 0; i < report.top.size(); ++i) {
    const SpendingReport::Position& position = report.top[i];
    if (i > 0) {
      EXPECT_LE(position.recent, report.top[i - 1].recent);
    }
    EXPECT_LE(position.recent, position.games + position.repeats);
    EXPECT_GE(position.gain, 0);
    settled += position.standing == "open" ? 0 : 1;
  }
  EXPECT_EQ(report.settled, settled);
  // Every line that does not deviate at once reaches the start position.
  EXPECT_GT(report.top[0].recent, kRecentGames / 2);
  EXPECT_EQ(report.top[0].position, rules_.Text(testing::ToyPosition().packed(), 1));
  EXPECT_EQ(Read(3).top.size(), 3u);
}

TEST_F(SpendingTest, OfAStagedRunCountsTheStage) {
  RunSpec spec = testing::ToySpec(0, "result-driven");
  spec.policy_options = {{"games", "20"}, {"delta", "4,2"}};
  Play(spec, 25);
  EXPECT_LE(Read(5).recent_games, 20u);
  EXPECT_GE(Read(5).recent_games, 1u);
}

TEST_F(SpendingTest, NamesARunThatIsNotThere) {
  EXPECT_EQ(ProblemOf(ReadSpending(*store_, rules_, 3, 5).status()).code, "unknown_run");
}

}  // namespace
}  // namespace joseki::coordinator
