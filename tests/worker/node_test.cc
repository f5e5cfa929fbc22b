#include "worker/node.h"

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Labels, AreNamesWithValues) {
  EXPECT_THAT(*LabelsOf({}), IsEmpty());
  EXPECT_THAT(*LabelsOf({"room=b 2", "gpu=", "a.b_c-1=x=y"}),
              ElementsAre(Pair("a.b_c-1", "x=y"), Pair("gpu", ""), Pair("room", "b 2")));
}

TEST(Labels, AreRefusedByName) {
  std::vector<std::string> many;
  for (int i = 0; i < 17; ++i) many.push_back("n" + std::to_string(i) + "=1");
  const std::vector<std::vector<std::string>> cases = {
      {"room"},
      {"=b"},
      {"Room=b"},
      {"room=\n"},
      {"room=b", "room=b"},
      {std::string(65, 'a') + "=1"},
      {"a=" + std::string(65, 'b')},
      many,
  };
  for (const std::vector<std::string>& texts : cases) {
    const absl::Status status = LabelsOf(texts).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << texts.front();
    EXPECT_EQ(ProblemOf(status).file, "--label");
  }
}

TEST(Memory, ReadsTheLimitsOfCgroups) {
  EXPECT_EQ(MemoryLimitOf("1073741824\n"), uint64_t{1} << 30);
  EXPECT_EQ(MemoryLimitOf("max\n"), std::nullopt);
  EXPECT_EQ(MemoryLimitOf("9223372036854771712\n"), std::nullopt) << "v1's way to say none";
  EXPECT_EQ(MemoryLimitOf(""), std::nullopt);
  EXPECT_EQ(MemoryLimitOf("12 MB"), std::nullopt);
}

TEST(Memory, TakesTheSmallestLimit) {
  const testing::TempFolder root;
  EXPECT_EQ(CgroupMemory(root.path()), std::nullopt);
  const auto write = [&root](const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root.path() / path).parent_path());
    ASSERT_TRUE(WriteFileAtomically(root.path() / path, text).ok());
  };
  write("proc/self/cgroup", "0::/jobs/7\n");
  EXPECT_EQ(CgroupMemory(root.path()), std::nullopt);
  write("sys/fs/cgroup/jobs/memory.max", "4096\n");
  write("sys/fs/cgroup/jobs/7/memory.max", "max\n");
  EXPECT_EQ(CgroupMemory(root.path()), 4096u);
  write("sys/fs/cgroup/jobs/7/memory.max", "1024\n");
  EXPECT_EQ(CgroupMemory(root.path()), 1024u);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "512\n");
  EXPECT_EQ(CgroupMemory(root.path()), 512u);
}

TEST(Memory, ThisMachineHasSome) { EXPECT_GT(UsableMemoryMb(), 0u); }

TEST(PerSeat, IsAPartOfTheWhole) {
  EXPECT_EQ(PerSeat(1000, 3), 333u);
  EXPECT_EQ(PerSeat(2, 4), 1u) << "slots share a core";
  EXPECT_EQ(PerSeat(0, 4), 0u) << "not known";
  EXPECT_EQ(PerSeat(5, 0), 5u);
}

}  // namespace
}  // namespace joseki::worker
