#include "base/memory.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/address_limit.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

class MemoryTest : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) {
    const std::filesystem::path place = root() + path;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream(place) << text;
  }
  std::string root() const { return folder_ / "root"; }
  uint64_t Available() const { return AvailableMemory(root()); }

  testing::TempFolder folder_;
};

constexpr uint64_t kMega = uint64_t{1} << 20;

TEST_F(MemoryTest, KnowsNothingOfASystemThatSaysNothing) {
  EXPECT_EQ(Available(), std::numeric_limits<uint64_t>::max());
}

TEST_F(MemoryTest, IsWhatTheMachineHas) {
  Put("/proc/meminfo", "MemTotal:  8388608 kB\nMemAvailable:    2048 kB\nCommitLimit: 1024 kB\n");
  EXPECT_EQ(Available(), 2 * kMega);
  Put("/proc/meminfo", "MemAvailable: 2048 kB\nCommitLimit: 1024 kB\nCommitted_AS: 512 kB\n");
  Put("/proc/sys/vm/overcommit_memory", "2\n");
  EXPECT_EQ(Available(), kMega / 2);
}

TEST_F(MemoryTest, IsWhatEveryGroupAboveLeaves) {
  Put("/proc/meminfo", "MemAvailable: 1048576 kB\n");
  Put("/proc/self/cgroup", "0::/job/step\n");
  Put("/sys/fs/cgroup/job/step/memory.max", "max\n");
  Put("/sys/fs/cgroup/job/step/memory.current", "1048576\n");
  EXPECT_EQ(Available(), 1024 * kMega);
  Put("/sys/fs/cgroup/job/memory.max", "104857600\n");
  Put("/sys/fs/cgroup/job/memory.current", "62914560\n");
  EXPECT_EQ(Available(), 40 * kMega);
  // Pages of files that nobody uses are given back.
  Put("/sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 10485760\n");
  EXPECT_EQ(Available(), 50 * kMega);
}

TEST_F(MemoryTest, ReadsTheOlderGroupsToo) {
  Put("/proc/self/cgroup", "5:cpu:/\n4:memory:/box\n0::/\n");
  Put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "20971520\n");
  Put("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "41943040\n");
  EXPECT_EQ(Available(), 0u);
  Put("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "10485760\n");
  EXPECT_EQ(Available(), 10 * kMega);
}

TEST(CheckMemory, NamesTheOptionThatAsksForTooMuch) {
  constexpr uint64_t kEverything = uint64_t{1} << 60;
  const absl::Status status = CheckMemory("hash_mb", kEverything);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(ProblemOf(status).code, "no_memory");
  EXPECT_EQ(ProblemOf(status).file, "hash_mb");
  EXPECT_TRUE(CheckMemory("hash_mb", kMega).ok());
  EXPECT_TRUE(CheckMemory("hash_mb", kEverything, kEverything).ok());
}

TEST(CheckMemory, HeedsTheLimitOfThisProcess) {
  if (!testing::AddressLimit::kLeavesRoom) GTEST_SKIP() << "a sanitizer needs more addresses";
  const testing::AddressLimit limit;
  EXPECT_LT(AvailableMemory(), uint64_t{1} << 30);
}

}  // namespace
}  // namespace joseki
