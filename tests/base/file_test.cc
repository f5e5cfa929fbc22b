#include "base/file.h"

#include <filesystem>
#include <fstream>

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

std::filesystem::path Folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / (std::string("joseki_file_") + test->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(WriteFileAtomically, WritesAndReplaces) {
  const auto path = Folder() / "book.db";
  ASSERT_TRUE(WriteFileAtomically(path, "one").ok());
  ASSERT_TRUE(WriteFileAtomically(path, std::string("two\0x", 5)).ok());
  EXPECT_EQ(*ReadFile(path), std::string("two\0x", 5));
}

TEST(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  const auto folder = Folder();
  // The target is a folder that is not empty: the rename must fail.
  std::filesystem::create_directories(folder / "book.db" / "inside");
  const absl::Status status = WriteFileAtomically(folder / "book.db", "text");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(ProblemOf(status).file, (folder / "book.db").string());
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  EXPECT_EQ(entries, 1);
}

TEST(WriteFileAtomically, GivesNoWiderPermissionsThanAskedFor) {
  const auto path = (Folder() / "key.pem").string();
  ASSERT_TRUE(WriteFileAtomically(path, "open", 0644).ok());
  ASSERT_TRUE(WriteFileAtomically(path, "secret", 0600).ok());
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(ReadFile, SaysWhichFileIsMissing) {
  const auto path = (Folder() / "nothing").string();
  const auto bytes = ReadFile(path);
  EXPECT_TRUE(absl::IsNotFound(bytes.status()));
  EXPECT_EQ(ProblemOf(bytes.status()).file, path);
}

}  // namespace
}  // namespace joseki
