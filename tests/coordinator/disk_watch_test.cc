#include "coordinator/disk_watch.h"

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

class DiskWatchTest : public ::testing::Test {
 protected:
  DiskWatchTest()
      : path_(folder_ / "book.sqlite"),
        watch_(
            path_, {}, [this](const std::string&) { return space_; },
            book::FileLock::Take(path_).value()) {}

  std::optional<DiskWatch::Finding> LookLater() {
    now_ += absl::Seconds(1);
    return watch_.Look(now_);
  }

  const testing::TempFolder folder_;
  const std::string path_;
  absl::StatusOr<DiskSpace> space_ = DiskSpace{500 * kGiB, 1000 * kGiB};
  absl::Time now_ = absl::UnixEpoch();
  DiskWatch watch_;
};

TEST_F(DiskWatchTest, LooksOnceASecond) {
  EXPECT_TRUE(watch_.Look(now_).has_value());
  EXPECT_FALSE(watch_.Look(now_ + absl::Milliseconds(999)).has_value());
  EXPECT_TRUE(watch_.Look(now_ + absl::Seconds(1)).has_value());
}

TEST_F(DiskWatchTest, NamesAProblemWhereRoomIsShort) {
  EXPECT_EQ(LookLater()->problem, "");
  space_ = DiskSpace{kGiB, 1000 * kGiB};
  const auto low = LookLater();
  EXPECT_EQ(low->level, DiskLevel::kLow);
  EXPECT_NE(low->problem.find("1024 MiB are free"), std::string::npos) << low->problem;
  space_ = DiskSpace{500 * kGiB, 1000 * kGiB};
  EXPECT_EQ(LookLater()->level, DiskLevel::kPlenty);
}

TEST_F(DiskWatchTest, DoesNotCallADiskFullThatCannotBeMeasured) {
  space_ = absl::UnavailableError("no answer");
  EXPECT_FALSE(LookLater().has_value());
}

TEST_F(DiskWatchTest, FindsALockThatIsLostOnceAndForGood) {
  EXPECT_TRUE(LookLater().has_value());
  EXPECT_FALSE(watch_.lock_lost());
  std::filesystem::remove(path_ + ".lock");
  const auto other = book::FileLock::Take(path_);
  ASSERT_TRUE(other.ok()) << other.status();
  const auto lost = LookLater();
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->level, DiskLevel::kFull);
  EXPECT_NE(lost->problem.find("another coordinator"), std::string::npos) << lost->problem;
  EXPECT_TRUE(watch_.lock_lost());
  EXPECT_FALSE(LookLater().has_value());
}

}  // namespace
}  // namespace joseki::coordinator
