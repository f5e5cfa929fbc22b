#include "book/database/file_lock.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

class FileLockTest : public ::testing::Test {
 protected:
  FileLockTest() { std::ofstream(path_) << "a book"; }
  std::string CodeOf(const std::string& path) {
    return ProblemOf(FileLock::Take(path).status()).code;
  }

  testing::TempFolder folder_;
  const std::string path_ = folder_ / "book.sqlite";
};

TEST_F(FileLockTest, IsOfTheFileWhateverLinkLeadsToIt) {
  const auto lock = FileLock::Take(path_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(CodeOf(path_), "coordinator_running");
  const std::string link = folder_ / "link.sqlite";
  std::filesystem::create_symlink(path_, link);
  EXPECT_EQ(CodeOf(link), "coordinator_running");
  const std::string folder = folder_ / "elsewhere";
  std::filesystem::create_directory_symlink(folder_ / ".", folder);
  EXPECT_EQ(CodeOf(folder + "/book.sqlite"), "coordinator_running");
}

TEST_F(FileLockTest, TellsWhereItsHolderIsSeen) {
  const std::string page = "http://127.0.0.1:7462/";
  const auto lock = FileLock::Take(path_, page);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(
      ProblemOf(FileLock::Take(path_).status()).found,
      absl::StrCat("a coordinator that has it open, process ", getpid(), ", whose page is ", page));
}

TEST_F(FileLockTest, RefusesAFileOfSeveralNames) {
  const std::string other = folder_ / "other.sqlite";
  std::filesystem::create_hard_link(path_, other);
  EXPECT_EQ(CodeOf(path_), "hard_links");
  EXPECT_EQ(CodeOf(other), "hard_links");
  std::filesystem::remove(other);
  EXPECT_TRUE(FileLock::Take(path_).ok());
}

TEST_F(FileLockTest, IsMadeAnewWhenSomebodyDeletesItsFile) {
  auto lock = FileLock::Take(path_);
  ASSERT_TRUE(lock.ok());
  EXPECT_TRUE(lock->Keep().ok());
  std::filesystem::remove(path_ + ".lock");
  EXPECT_TRUE(lock->Keep().ok());
  EXPECT_EQ(CodeOf(path_), "coordinator_running");
  // Another was faster.
  std::filesystem::remove(path_ + ".lock");
  const auto thief = FileLock::Take(path_);
  ASSERT_TRUE(thief.ok());
  EXPECT_EQ(ProblemOf(lock->Keep()).code, "coordinator_running");
}

TEST_F(FileLockTest, NeedsNoFile) {
  const std::string none = folder_ / "none.sqlite";
  const auto lock = FileLock::Take(none);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ(CodeOf(none), "coordinator_running");
}

}  // namespace
}  // namespace joseki::book
