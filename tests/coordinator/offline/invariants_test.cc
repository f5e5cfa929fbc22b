#include "coordinator/offline/invariants.h"

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>

#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A database with one run, one lease and five games, all of them in the checkpoint.
class InvariantsTest : public ::testing::Test {
 protected:
  InvariantsTest()
      : store_(book::Store::Open(folder_ / "book.sqlite", book::OpenMode::kCreate).value()) {
    RunStore rows(*store_);
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(100));
    const std::string bytes = loaded.graph->Serialize();
    loaded.row.snapshot = Sha256Of(bytes);
    EXPECT_TRUE(rows.runs().InsertSnapshot(loaded.row.snapshot, bytes, "").ok());
    EXPECT_TRUE(rows.runs().Insert(loaded.row).ok());
    const book::NodeId start = *StartNode(rules_, *loaded.graph, loaded.row.spec);
    RunState state(std::move(loaded), start, RunState::Options{});
    LeaseRow row;
    row.grant = {1, 1, "w", 1, 0, 0, absl::Seconds(90), state.Plan(1, 5)};
    EXPECT_TRUE(rows.leases().Insert(row.grant, row.state).ok());
    for (const PlannedSlot& plan : row.grant.slots) {
      const GameRow game =
          testing::RowOf(plan, 0, testing::PlaySlot(1, 1, plan.slot), state.evidence().seq() + 1);
      EXPECT_EQ(*rows.games().Insert(game), Inserted::kNew);
      state.Credit(game, plan, true);
    }
    const UnwrittenChanges::Taken changes = state.evidence().TakeChanges();
    for (const book::EdgeId edge : changes.edges) {
      const EvidenceRow evidence = state.evidence().RowOf(edge);
      EXPECT_TRUE(rows.evidence().Save(1, {&evidence, 1}).ok());
    }
    EXPECT_TRUE(rows.evidence().SaveCheckpoint(1, changes.checkpoint).ok());
  }

  InvariantReport Run(std::vector<std::pair<LeaseId, uint32_t>> acknowledged = {}) {
    return CheckInvariants(*store_, rules_, std::move(acknowledged)).value();
  }
  void Tamper(const std::string& sql) { ASSERT_GT(store_->db().exec(sql), 0) << sql; }

  const testing::ToyRules rules_{};
  testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_;
};

TEST_F(InvariantsTest, HoldWhereNothingIsWrong) {
  const InvariantReport report = Run({{1, 3}, {1, 0}, {1, 3}});
  EXPECT_EQ(report.games, 5u);
  EXPECT_EQ(report.acknowledged, 2u);
  EXPECT_EQ(report.violations, 0u);
  EXPECT_THAT(report.first, IsEmpty());
}

TEST_F(InvariantsTest, EveryLostGameIsOne) {
  const InvariantReport report = Run({{1, 3}, {1, 5}, {2, 0}});
  EXPECT_EQ(report.violations, 2u);
  EXPECT_THAT(
      report.first,
      Contains(HasSubstr("2 acknowledged games are not stored, the first of lease 1 slot 5")));
}

TEST_F(InvariantsTest, AGapInTheOrderIsOne) {
  Tamper("UPDATE games SET commit_seq = 9 WHERE commit_seq = 5");
  EXPECT_THAT(Run().first, Contains(HasSubstr("game number 5")));
}

TEST_F(InvariantsTest, CountsThatNoGameGaveAreOne) {
  Tamper("UPDATE evidence SET wins = wins + 1 WHERE edge = (SELECT min(edge) FROM evidence)");
  const InvariantReport report = Run();
  EXPECT_GE(report.violations, 2u);
  EXPECT_THAT(report.first, Contains(HasSubstr("games together")));
  EXPECT_THAT(report.first, Contains(HasSubstr("the games say")));
}

TEST_F(InvariantsTest, ARunThatCannotBeLoadedIsOne) {
  Tamper("UPDATE runs SET counters = 'no JSON'");
  const InvariantReport report = Run();
  EXPECT_EQ(report.games, 5u);
  EXPECT_THAT(report.first, Contains(HasSubstr("run 1 cannot be loaded")));
}

TEST_F(InvariantsTest, AGameOfNoLeaseIsOne) {
  Tamper("DELETE FROM leases");
  const InvariantReport report = Run();
  EXPECT_GE(report.violations, 5u);
  EXPECT_THAT(report.first, Contains(HasSubstr("its lease is not there")));
}

}  // namespace
}  // namespace joseki::coordinator
