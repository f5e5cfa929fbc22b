#include "tests/e2e/cluster.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "engine/search/shogi/bench.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/small_run.h"
#include "tests/support/temp_folder.h"

namespace joseki::testing {
namespace {

constexpr uint64_t kGames = 96;

class ClusterTest : public ::testing::Test {
 protected:
  explicit ClusterTest(TestCluster::Options options = {})
      : cluster_(ClusterFolder(), JOSEKI_BINARY_DIR, options) {}

  void Start(const v1::RunSpec& spec = SmallRun("end to end", kGames)) {
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
  void Finish() { FinishAndCount(cluster_, run_, 2, kGames); }

  TestCluster cluster_;
  uint64_t run_ = 0;
};

TEST_F(ClusterTest, PlaysARunToItsEnd) {
  Start();
  Finish();
}

TEST_F(ClusterTest, LosesNothingWhenTheCoordinatorIsKilled) {
  Start();
  AwaitGames(20);
  cluster_.KillCoordinator();
  cluster_.StartCoordinator();
  Finish();
}

TEST_F(ClusterTest, LosesNothingWhenAWorkerIsKilled) {
  Start();
  AwaitGames(20);
  cluster_.KillWorker(0);
  cluster_.StartWorker(0);
  Finish();
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
  Finish();
}

TEST_F(LongLeasesTest, SoDoWorkerAndCoordinatorThatAreStartedAgainTogether) {
  Start();
  AwaitGames(20);
  cluster_.KillWorker(0);
  cluster_.KillCoordinator();
  cluster_.StartCoordinator();
  cluster_.StartWorker(0);
  Finish();
}

TEST_F(ClusterTest, LosesNothingWhenAWorkerIsDrained) {
  Start();
  AwaitGames(20);
  EXPECT_EQ(cluster_.StopWorker(0), 0) << cluster_.Logs();
  Finish();
}

TEST_F(ClusterTest, RefusesAWorkerWithAnotherEngine) {
  v1::RunSpec spec = SmallRun("another engine", kGames);
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
