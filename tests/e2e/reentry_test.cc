// A run with re-entry by real processes that share one cache.
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/cluster.h"
#include "tests/e2e/small_run.h"

namespace joseki::testing {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGames = 40;

// Lines of one ply: the first reply is the engine's, after it the game is back in the book.
v1::RunSpec ReentryRun() {
  v1::RunSpec spec = SmallRun("re-entry", kGames);
  v1::PlaySpec& play = *spec.mutable_play();
  play.set_max_plies(80);
  play.set_re_entry(true);
  play.set_re_entry_games(15);
  spec.set_deviation(0);
  spec.set_max_book_plies(1);
  return spec;
}

// The artefacts in the cache, by the end of their names.
int FilesWith(const std::string& folder, const std::string& end, uintmax_t at_least = 0) {
  int count = 0;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    const std::string name = file.path().filename().string();
    if (name.compare(0, 4, "lock") == 0 || file.path().extension() != end) continue;
    std::error_code gone;
    const uintmax_t size = file.file_size(gone);
    if (!gone && size >= at_least) ++count;
  }
  return count;
}

TEST(ReentryCluster, AWorkerKilledWhileItFetchesTheBookCostsNothing) {
  // Six chunks of a quarter of a megabyte at 0.3 MB/s: there is time to be killed.
  TestCluster cluster(ClusterFolder(), JOSEKI_BINARY_DIR,
                      {.wide_book = true, .coordinator_flags = {"--artefact-rate", "0.3"}});
  cluster.StartCoordinator();
  const auto run = cluster.CreateRun(ReentryRun());
  ASSERT_TRUE(run.ok()) << run.status() << cluster.Logs();
  const std::string cache = cluster.folder() + "/cache";

  cluster.StartWorker(0);
  ASSERT_TRUE(Eventually([&] { return FilesWith(cache, ".part", 1) == 1; })) << cluster.Logs();
  cluster.KillWorker(0);
  ASSERT_EQ(FilesWith(cache, ".part", 1), 1) << "it was killed too late";
  cluster.StartWorker(1);
  cluster.StartWorker(0);
  ASSERT_TRUE(cluster.Await(*run, [](const v1::RunStatus& status) {
    return status.state() == "done";
  })) << cluster.Logs();
  EXPECT_EQ(cluster.StopWorker(0), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopWorker(1), 0) << cluster.Logs();
  EXPECT_EQ(cluster.StopCoordinator(), 0) << cluster.Logs();

  EXPECT_EQ(FilesWith(cache, ".part"), 0);
  EXPECT_GE(FilesWith(cache, ""), 2) << "the structure and the weights";
  const TestCluster::Stored stored = cluster.Read();
  EXPECT_GE(stored.games.size(), kGames);
  EXPECT_EQ(stored.faults, 0u);
  EXPECT_EQ(cluster.Acknowledged(), stored.all());
  EXPECT_EQ(cluster.BadVerdicts(), 0);
  EXPECT_EQ(stored.audited, stored.games.size());
  EXPECT_EQ(stored.mismatches, 0u) << stored.first_mismatch;
  // One ply of line, the reply, and the book's two moves after it.
  EXPECT_GE(stored.credited, 3 * stored.expected_credit);
}

}  // namespace
}  // namespace joseki::testing
