#include "tests/e2e/cluster.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "engine/search/shogi/bench.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::testing {
namespace {

constexpr uint64_t kGames = 96;

v1::RunSpec SmallRun() {
  v1::RunSpec spec;
  spec.set_name("end to end");
  v1::PlaySpec& play = *spec.mutable_play();
  play.set_game("shogi");
  play.set_engine_id("embedded");
  play.set_engine_signature(BenchSignature());
  play.set_nodes(60);
  play.set_jitter_percent(20);
  play.set_max_plies(120);
  play.set_declaration(v1::DECLARATION_27);
  spec.mutable_policy()->set_name("sample-average");
  spec.set_games(kGames);
  spec.set_deviation(0.05);
  spec.set_seed(1);
  spec.set_start("startpos");
  return spec;
}

class ClusterTest : public ::testing::Test {
 protected:
  explicit ClusterTest(Cluster::Options options = {})
      : cluster_((std::filesystem::path(::testing::TempDir()) /
                  ("cluster-" + std::to_string(getpid()) + "-" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                     .string(),
                 JOSEKI_BINARY_DIR, options) {}

  void Start(const v1::RunSpec& spec = SmallRun()) {
    cluster_.StartCoordinator();
    const auto run = cluster_.CreateRun(spec);
    ASSERT_TRUE(run.ok()) << run.status() << cluster_.Logs();
    run_ = *run;
    cluster_.StartWorker(0);
    cluster_.StartWorker(1);
  }
  void AwaitGames(uint64_t games) {
    ASSERT_TRUE(cluster_.Await(run_, [&](const v1::RunStatus& status) {
      return status.games_done() >= games;
    })) << cluster_.Logs();
  }
  // The run completes, everybody leaves cleanly, and every count is the same.
  void FinishAndCount() {
    ASSERT_TRUE(cluster_.Await(run_, [](const v1::RunStatus& status) {
      return status.state() == "done";
    })) << cluster_.Logs();
    EXPECT_EQ(cluster_.StopWorker(0), 0) << cluster_.Logs();
    EXPECT_EQ(cluster_.StopWorker(1), 0) << cluster_.Logs();
    EXPECT_EQ(cluster_.StopCoordinator(), 0) << cluster_.Logs();
    const Cluster::Stored stored = cluster_.Read();
    EXPECT_GE(stored.games.size(), kGames);
    EXPECT_EQ(stored.faults, 0u);
    EXPECT_EQ(cluster_.Acknowledged(), stored.all());
    EXPECT_EQ(cluster_.BadVerdicts(), 0);
    EXPECT_EQ(stored.credited, stored.expected_credit);
    EXPECT_GT(stored.credited, kGames);
    EXPECT_EQ(stored.audited, stored.games.size());
    EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
  }

  Cluster cluster_;
  uint64_t run_ = 0;
};

TEST_F(ClusterTest, PlaysARunToItsEnd) {
  Start();
  FinishAndCount();
}

TEST_F(ClusterTest, LosesNothingWhenTheCoordinatorIsKilled) {
  Start();
  AwaitGames(20);
  cluster_.KillCoordinator();
  cluster_.StartCoordinator();
  FinishAndCount();
}

TEST_F(ClusterTest, LosesNothingWhenAWorkerIsKilled) {
  Start();
  AwaitGames(20);
  cluster_.KillWorker(0);
  cluster_.StartWorker(0);
  FinishAndCount();
}

// Leases that do not run out while the test lasts.
class LongLeasesTest : public ClusterTest {
 protected:
  LongLeasesTest() : ClusterTest({.lease_seconds = 86'400}) {}
};

TEST_F(LongLeasesTest, AWorkerThatIsStartedAgainHoldsNothingOfItsEarlierLife) {
  Start();
  AwaitGames(20);
  cluster_.KillWorker(0);
  cluster_.StartWorker(0);
  FinishAndCount();
}

TEST_F(LongLeasesTest, SoDoWorkerAndCoordinatorThatAreStartedAgainTogether) {
  Start();
  AwaitGames(20);
  cluster_.KillWorker(0);
  cluster_.KillCoordinator();
  cluster_.StartCoordinator();
  cluster_.StartWorker(0);
  FinishAndCount();
}

TEST_F(ClusterTest, LosesNothingWhenAWorkerIsDrained) {
  Start();
  AwaitGames(20);
  EXPECT_EQ(cluster_.StopWorker(0), 0) << cluster_.Logs();
  FinishAndCount();
}

TEST_F(ClusterTest, RefusesAWorkerWithAnotherEngine) {
  v1::RunSpec spec = SmallRun();
  spec.mutable_play()->set_engine_signature(BenchSignature() + 1);
  Start(spec);
  EXPECT_EQ(cluster_.WaitForWorker(0), 1);
  EXPECT_THAT(cluster_.Logs(),
              ::testing::HasSubstr("joseki-worker: engine: found engine embedded"));
}

TEST(ProgramsTest, RefuseASetOfInstructionsThatThereIsNot) {
  const TempFolder folder;
  for (const std::string& program :
       {"joseki-worker --coordinator 127.0.0.1:1 --spool " + folder.path().string() + "/spool",
        "joseki-coordinator --db " + folder.path().string() + "/book.sqlite"}) {
    const std::string said = folder.path().string() + "/said";
    const int status = std::system(
        absl::StrCat("JOSEKI_ISA=sse9 " JOSEKI_BINARY_DIR "/", program, " 2>", said).c_str());
    ASSERT_TRUE(WIFEXITED(status)) << program;
    EXPECT_EQ(WEXITSTATUS(status), 2) << program;
    const std::string error = *ReadFile(said);
    EXPECT_THAT(error, ::testing::HasSubstr("JOSEKI_ISA: bad_isa: found 'sse9'")) << program;
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    std::filesystem::remove(said);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << program << " left something";
  }
}

}  // namespace
}  // namespace joseki::testing
