#include "coordinator/rebuilder.h"

#include <SQLiteCpp/Database.h>

#include <string>
#include <utility>

#include "coordinator/core/verify.h"
#include "tests/coordinator/restored_tables.h"

namespace joseki::coordinator {
namespace {

class RebuilderTest : public RestoredTablesTest {
 protected:
  uint64_t Excluded() {
    return gate_->Look([&](const Tables& tables) {
      return tables.runs.at(run_).state.evidence().counters().excluded;
    });
  }
  // Adds a run without games.
  void Enter(RunId run, const std::string& state) {
    LoadedRun loaded = testing::FreshRun(testing::ToySpec(1000));
    loaded.row.run = run;
    loaded.row.state = state;
    const book::NodeId start = loaded.graph->Find(testing::ToyPosition().key());
    gate_->Do([&](Tables& tables) {
      tables.runs.emplace(run,
                          ActiveRun{.state = RunState(std::move(loaded), start, {}), .rate = {}});
    });
  }
  uint64_t TrustOf(RunId run) {
    return gate_->Look([&](const Tables& tables) {
      return tables.runs.at(run).state.evidence().trust().change();
    });
  }
  void Execute(const std::string& sql) {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE);
    db.exec(sql);
  }
};

TEST_F(RebuilderTest, HasNothingToDoWhereTrustHasNotChanged) {
  Rebuilder rebuilder(path_, rules_, *gate_);
  EXPECT_FALSE(rebuilder.RunOne());
}

TEST_F(RebuilderTest, TakesGamesOutAndBringsThemBack) {
  Rebuilder rebuilder(path_, rules_, *gate_);
  ASSERT_EQ(Excluded(), 0u);
  gate_->Do([](Tables& tables) { Quarantine(tables, "w", "a test", /*automatic=*/false); });
  EXPECT_EQ(Excluded(), 0u) << "evidence is as it was until it is computed anew";
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(Excluded(), kGames);
  gate_->Do([&](Tables& tables) {
    EXPECT_TRUE(tables.ledger.OwesDroppedCheckpoint(run_));
    EXPECT_EQ(tables.runs.at(run_).state.evidence().trust().change(), 1u);
  });
  EXPECT_FALSE(rebuilder.RunOne());

  gate_->Do(
      [](Tables& tables) { EXPECT_TRUE(Unblock(tables, "w", /*keep_games_out=*/false).ok()); });
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(Excluded(), 0u);
}

TEST_F(RebuilderTest, ARunThatCannotBeReadKeepsNoOtherFromItsTurn) {
  const RunId done = run_ + 1;
  const RunId running = run_ + 2;
  Enter(done, "done");
  Enter(running, "running");
  Execute("UPDATE games SET result = result + 100");
  Rebuilder rebuilder(path_, rules_, *gate_);
  gate_->Do([](Tables& tables) { Quarantine(tables, "w", "a test", /*automatic=*/false); });
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(TrustOf(running), 1u) << "first";
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(TrustOf(run_), 0u);
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(TrustOf(done), 1u);
  EXPECT_FALSE(rebuilder.RunOne()) << "the other one is put off";

  // For longer each time.
  clock_.Advance(absl::Seconds(1));
  EXPECT_TRUE(rebuilder.RunOne());
  Execute("UPDATE games SET result = result - 100");
  clock_.Advance(absl::Seconds(1));
  EXPECT_FALSE(rebuilder.RunOne());
  clock_.Advance(absl::Seconds(1));
  EXPECT_TRUE(rebuilder.RunOne());
  EXPECT_EQ(TrustOf(run_), 1u);
  EXPECT_EQ(Excluded(), kGames);
  EXPECT_FALSE(rebuilder.RunOne());
}

TEST_F(RebuilderTest, DoesNotBeginWhereTheCoordinatorStops) {
  Rebuilder rebuilder(path_, rules_, *gate_);
  gate_->Do([](Tables& tables) {
    Quarantine(tables, "w", "a test", /*automatic=*/false);
    tables.holds.stopping = true;
  });
  EXPECT_FALSE(rebuilder.RunOne());
}

TEST_F(RebuilderTest, ItsThreadEndsWhereverItIs) {
  Rebuilder rebuilder(path_, rules_, *gate_);
  rebuilder.Start();
  gate_->Do([](Tables& tables) { Quarantine(tables, "w", "a test", /*automatic=*/false); });
  rebuilder.Wake();
  rebuilder.Stop();
  EXPECT_FALSE(Excluded() != 0 && Excluded() != kGames);
}

}  // namespace
}  // namespace joseki::coordinator
