#include "tests/e2e/small_run.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "worker/play/embedded_engine.h"

namespace joseki::testing {

v1::RunSpec SmallRun(const std::string& name, uint64_t games, const std::string& game) {
  v1::RunSpec spec;
  spec.set_name(name);
  v1::PlaySpec& play = *spec.mutable_play();
  play.set_game(game);
  play.set_engine_id("embedded");
  play.set_engine_signature(worker::EmbeddedEngineOf(game).signature());
  play.set_nodes(60);
  play.set_jitter_percent(20);
  play.set_max_plies(120);
  play.set_declaration(v1::DECLARATION_27);
  spec.mutable_policy()->set_name("sample-average");
  spec.set_games(games);
  spec.set_deviation(0.05);
  spec.set_seed(1);
  spec.set_start("startpos");
  return spec;
}

std::string ClusterFolder() {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  return (std::filesystem::path(::testing::TempDir()) /
          absl::StrCat(test.test_suite_name(), "-", test.name(), "-", getpid()))
      .string();
}

void FinishAndCount(TestCluster& cluster, uint64_t run, int workers, uint64_t games) {
  ASSERT_TRUE(cluster.Await(run, [](const v1::RunStatus& status) {
    return status.state() == "done";
  })) << cluster.Logs();
  // A worker submits its work of earlier leases before it leaves.
  for (int worker = 0; worker < workers; ++worker) {
    EXPECT_EQ(cluster.StopWorker(worker), 0) << cluster.Logs();
  }
  EXPECT_EQ(cluster.StopCoordinator(), 0) << cluster.Logs();
  const TestCluster::Stored stored = cluster.Read();
  EXPECT_GE(stored.games.size(), games);
  EXPECT_EQ(stored.faults, 0u);
  EXPECT_EQ(cluster.Acknowledged(), stored.all());
  EXPECT_EQ(cluster.BadVerdicts(), 0);
  EXPECT_EQ(stored.credited, stored.expected_credit);
  EXPECT_GT(stored.credited, games);
  EXPECT_EQ(stored.audited, stored.games.size());
  EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
}

}  // namespace joseki::testing
