// A run that asks for evaluations, by real processes that are killed in the middle of them.
#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

constexpr uint64_t kGames = 150;
constexpr uint64_t kNodes = 20'000;

v1::RunSpec PriorsRun() {
  v1::RunSpec spec = SmallRun("priors", kGames);
  spec.mutable_play()->set_max_plies(80);
  spec.mutable_policy()->set_name("response");
  spec.mutable_priors()->set_nodes(kNodes);
  spec.set_deviation(0.02);
  return spec;
}

TEST(PriorsCluster, KillsInTheMiddleOfEvaluationsCostNothing) {
  TestCluster cluster(ClusterFolder(), JOSEKI_BINARY_DIR, {.lease_seconds = 5});
  cluster.StartCoordinator();
  const auto run = cluster.CreateRun(PriorsRun());
  ASSERT_TRUE(run.ok()) << run.status() << cluster.Logs();
  const auto searched = [&](uint32_t least) {
    return cluster.Await(
        *run, [least](const v1::RunStatus& status) { return status.priors().done() >= least; });
  };
  cluster.StartWorker(0);
  ASSERT_TRUE(searched(2)) << cluster.Logs();
  cluster.KillWorker(0);
  cluster.StartWorker(1);
  ASSERT_TRUE(searched(6)) << cluster.Logs();
  cluster.KillCoordinator();
  cluster.StartCoordinator();
  cluster.StartWorker(0);
  ASSERT_TRUE(cluster.Await(*run, [](const v1::RunStatus& status) {
    return status.state() == "done";
  })) << cluster.Logs();
  const auto status = cluster.Status(*run);
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_GT(status->priors().positions(), 10u);
  EXPECT_EQ(status->priors().done(), status->priors().positions());
  EXPECT_EQ(status->priors().unscored(), 0u);
  EXPECT_EQ(status->games_done(), kGames);
  EXPECT_GE(status->priors().version(), 3u);
  EXPECT_EQ(cluster.StopWorker(0), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopWorker(1), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopCoordinator(), 0) << cluster.Logs();

  const TestCluster::Stored stored = cluster.Read();
  EXPECT_EQ(cluster.BadVerdicts(), 0);
  EXPECT_EQ(stored.faults, 0u);
  // Acknowledged results are stored; results stored without acknowledgement precede a kill.
  for (const TestCluster::Key& key : cluster.Acknowledged()) {
    EXPECT_TRUE(stored.all().count(key)) << "lease " << key.first << " slot " << key.second;
  }
  EXPECT_EQ(stored.games.size(), kGames);
  EXPECT_EQ(stored.credited, stored.expected_credit);
  EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
  // Each position has one search that stands, by all its nodes, with a score and a depth.
  EXPECT_GE(
      static_cast<uint32_t>(cluster.Number("SELECT count(DISTINCT position) FROM evaluations")),
      status->priors().positions());
  EXPECT_EQ(cluster.Number("SELECT count(*) FROM evaluations WHERE score IS NULL OR depth = 0 OR"
                           " best = 0"),
            0);
  // Nothing that was answered was asked again but what was in hand at the kills.
  EXPECT_LE(cluster.Number("SELECT count(*) FROM evaluations"),
            int64_t{status->priors().positions()} + 16);
  EXPECT_GE(cluster.Number("SELECT min(nodes) FROM evaluations"), int64_t{kNodes} / 2);
}

}  // namespace
}  // namespace joseki::testing
