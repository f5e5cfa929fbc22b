#include "coordinator/store/disk.h"

#include <sys/resource.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST(Disk, HasAtMostWhatItHolds) {
  const testing::TempFolder folder;
  const auto space = SpaceFor(folder / "book.sqlite");
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_GT(space->total, 0u);
  EXPECT_LE(space->free, space->total);
  EXPECT_FALSE(SpaceFor(folder / "none/book.sqlite").ok());
}

TEST(Disk, KnowsThatProcIsLocal) {
  EXPECT_EQ(NetworkFileSystemOf("/proc/book.sqlite"), "");
  EXPECT_EQ(NetworkFileSystemOf("/no such folder/book.sqlite"), "");
}

// SQLite opens the file that a link leads to, with its log beside it.
TEST(Disk, IsThatOfTheFileBehindALink) {
  const testing::TempFolder folder;
  const std::string link = folder / "book.sqlite";
  std::filesystem::create_symlink("/proc/version", link);
  const auto space = SpaceFor(link);
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_EQ(space->total, 0u) << "of /proc";
}

TEST(Disk, LevelsFollowTheSmallerOfBytesAndShare) {
  const DiskMarks marks;
  const auto level = [&](uint64_t free, uint64_t total) { return LevelOf({free, total}, marks); };
  EXPECT_EQ(level(2 * kGiB, 1000 * kGiB), DiskLevel::kPlenty);
  EXPECT_EQ(level(2 * kGiB - 1, 1000 * kGiB), DiskLevel::kLow);
  EXPECT_EQ(level(kGiB / 2, 1000 * kGiB), DiskLevel::kLow);
  EXPECT_EQ(level(kGiB / 2 - 1, 1000 * kGiB), DiskLevel::kFull);
  EXPECT_EQ(level(kGiB, 10 * kGiB), DiskLevel::kPlenty) << "a small disk, one tenth free";
  EXPECT_EQ(level(kGiB / 4, 10 * kGiB), DiskLevel::kLow);
  EXPECT_EQ(level(0, 10 * kGiB), DiskLevel::kFull);
}

TEST(Descriptors, AreRaisedToTheHardLimit) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  struct rlimit lower = before;
  lower.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
  EXPECT_EQ(RaiseDescriptorLimit(), before.rlim_max);
  struct rlimit after {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace joseki::coordinator
