#include "worker/play/cores.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(Cores, ReadsTheQuotaOfVersion2) {
  EXPECT_THAT(QuotaOf("150000 100000\n"), Optional(1.5));
  EXPECT_THAT(QuotaOf("400000 100000"), Optional(4.0));
  for (const char* text : {"max 100000\n", "", "150000", "0 100000", "-1 100000", "1 0", "1 2 3",
                           "99999999999999999999 1", "one two"}) {
    EXPECT_EQ(QuotaOf(text), std::nullopt) << text;
  }
}

TEST(Cores, ReadsTheQuotaOfVersion1) {
  EXPECT_THAT(QuotaOf("250000\n", "100000\n"), Optional(2.5));
  EXPECT_EQ(QuotaOf("-1\n", "100000\n"), std::nullopt);
  EXPECT_EQ(QuotaOf("", ""), std::nullopt);
}

TEST(Cores, FindsTheFoldersOfAProcess) {
  const CgroupFolders two = FoldersOf("0::/system.slice/worker.service\n");
  EXPECT_THAT(two.v2, ElementsAre("/system.slice/worker.service", "/system.slice", ""));
  EXPECT_TRUE(two.v1.empty());

  const CgroupFolders one =
      FoldersOf("12:memory:/a\n4:cpu,cpuacct:/docker/0f:0\n3:cpuset:/elsewhere\n0::/\n");
  EXPECT_THAT(one.v1, ElementsAre("/docker/0f:0", "/docker", ""));
  EXPECT_THAT(one.v2, ElementsAre(""));

  const CgroupFolders none = FoldersOf("nonsense\n::\n0::relative\n");
  EXPECT_TRUE(none.v1.empty());
  EXPECT_TRUE(none.v2.empty());
}

class CgroupTree : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(::testing::TempDir()) /
            ("cgroup-" + std::to_string(getpid()) + "-" +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  std::filesystem::path root_;
};

TEST_F(CgroupTree, TakesTheSmallestLimitOfTheGroupsAbove) {
  Write("proc/self/cgroup", "0::/batch/job\n");
  EXPECT_EQ(CgroupQuota(root_.string()), std::nullopt);
  Write("sys/fs/cgroup/batch/job/cpu.max", "800000 100000\n");
  Write("sys/fs/cgroup/batch/cpu.max", "300000 100000\n");
  EXPECT_THAT(CgroupQuota(root_.string()), Optional(3.0));
  Write("sys/fs/cgroup/batch/job/cpu.max", "max 100000\n");
  EXPECT_THAT(CgroupQuota(root_.string()), Optional(3.0));
}

TEST_F(CgroupTree, ReadsVersion1) {
  Write("proc/self/cgroup", "4:cpu,cpuacct:/job\n");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_THAT(CgroupQuota(root_.string()), Optional(0.5));
}

TEST_F(CgroupTree, HasNoLimitWithoutCgroups) {
  EXPECT_EQ(CgroupQuota(root_.string()), std::nullopt);
}

TEST(Cores, AreThoseOfTheMaskOrTheQuota) {
  EXPECT_EQ(CoresFor(8, std::nullopt), 8);
  EXPECT_EQ(CoresFor(8, 2.0), 2);
  EXPECT_EQ(CoresFor(8, 1.5), 2);
  EXPECT_EQ(CoresFor(8, 0.1), 1);
  EXPECT_EQ(CoresFor(2, 16.0), 2);
  EXPECT_EQ(CoresFor(0, std::nullopt), 1);
  EXPECT_GE(UsableCores(), 1);
}

}  // namespace
}  // namespace joseki::worker
