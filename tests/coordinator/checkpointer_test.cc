#include "coordinator/checkpointer.h"

#include "tests/coordinator/restored_tables.h"

namespace joseki::coordinator {
namespace {

class CheckpointerTest : public RestoredTablesTest {
 protected:
  std::optional<RunCounters> Counters() {
    const auto store = OpenToRead();
    return RunStore(*store).evidence().ReadCounters(run_).value();
  }
  bool HasChanges() {
    return gate_->Look([&](const Tables& tables) {
      return tables.runs.at(run_).state.evidence().unwritten().any();
    });
  }
};

TEST_F(CheckpointerTest, WritesWhatTheGamesAddUpToInSlices) {
  Checkpointer checkpointer({.rows = 2}, *gate_, *writer_);
  ASSERT_TRUE(HasChanges());
  ASSERT_FALSE(Counters().has_value());
  checkpointer.WriteAll();
  EXPECT_FALSE(Counters().has_value()) << "the writer has not run";
  writer_->RunQueued();
  ASSERT_TRUE(Counters().has_value());
  EXPECT_EQ(Counters()->games, kGames);
  EXPECT_FALSE(HasChanges());
  const auto store = OpenToRead();
  EXPECT_GT(RunStore(*store).evidence().Read(run_)->size(), 2u);
}

TEST_F(CheckpointerTest, ARunHasOneCheckpointOnItsWay) {
  Checkpointer checkpointer({}, *gate_, *writer_);
  checkpointer.WriteAll();
  EXPECT_TRUE(gate_->Do([](Tables& tables) { return BeginAllSweeps(tables); }).empty());
  writer_->RunQueued();
  EXPECT_EQ(Counters()->games, kGames);
  gate_->Look([&](const Tables& tables) { EXPECT_FALSE(tables.runs.at(run_).sweeping); });
}

TEST_F(CheckpointerTest, WaitsUntilTheOldCheckpointIsDropped) {
  const auto begin = [](Tables& tables) { return BeginAllSweeps(tables); };
  gate_->Do([&](Tables& tables) { tables.ledger.OweDroppedCheckpoint(run_, 0); });
  EXPECT_TRUE(gate_->Do(begin).empty());
  gate_->Do([&](Tables& tables) { tables.ledger.Take(); });
  EXPECT_EQ(gate_->Do(begin).size(), 1u);
}

TEST_F(CheckpointerTest, GivesBackWhatCouldNotBeWritten) {
  Checkpointer checkpointer({}, *gate_, *writer_);
  checkpointer.WriteAll();
  ASSERT_FALSE(HasChanges());
  // Another program has the write lock.
  const auto other = book::Store::Open(path_, book::OpenMode::kReadWrite).value();
  RunStore rows(*other);
  ASSERT_TRUE(rows.Begin().ok());
  writer_->RunQueued();
  rows.Rollback();
  EXPECT_TRUE(HasChanges());
  gate_->Look([&](const Tables& tables) { EXPECT_FALSE(tables.runs.at(run_).sweeping); });
}

}  // namespace
}  // namespace joseki::coordinator
