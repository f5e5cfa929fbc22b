#include "coordinator/rebuilder.h"

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
