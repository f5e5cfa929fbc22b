#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/database_file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

TEST(WriteFileAtomically, WritesAndReplaces) {
  const testing::TempFolder folder;
  const std::string path = folder / "book.db";
  ASSERT_TRUE(WriteFileAtomically(path, "one").ok());
  ASSERT_TRUE(WriteFileAtomically(path, std::string("two\0x", 5)).ok());
  EXPECT_EQ(*ReadFile(path), std::string("two\0x", 5));
}

TEST(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  const testing::TempFolder folder;
  {
    absl::StatusOr<AtomicFile> file = AtomicFile::Create(folder / "book.db");
    ASSERT_TRUE(file.ok()) << file.status();
    // The target becomes a folder that is not empty: the rename must fail.
    std::filesystem::create_directories(folder.path() / "book.db" / "inside");
    const absl::Status status = file->Commit();
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(ProblemOf(status).file, folder / "book.db");
  }
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++entries;
  EXPECT_EQ(entries, 1);
}

TEST(WriteFileAtomically, SaysThatAFolderHasTheName) {
  const testing::TempFolder folder;
  std::filesystem::create_directories(folder / "book.db");
  for (const char* const name : {"book.db", "book.db/"}) {
    const Problem problem = ProblemOf(WriteFileAtomically(folder / name, "text"));
    EXPECT_EQ(problem.code, "file_error") << name;
    EXPECT_EQ(problem.file, folder / name);
    EXPECT_EQ(problem.found, "a folder");
  }
}

TEST(WriteFileAtomically, LeavesDevicesAndPipesWhereTheyAre) {
  const testing::TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string link = folder / "link";
  ASSERT_EQ(symlink(pipe.c_str(), link.c_str()), 0);
  for (const std::string& path : {pipe, link}) {
    const absl::Status status = WriteFileAtomically(path, "text");
    EXPECT_EQ(ProblemOf(status).code, "file_error") << status;
    EXPECT_EQ(ProblemOf(status).file, path);
  }
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(WriteFileAtomically, ALinkStaysAndItsFileIsReplaced) {
  const testing::TempFolder folder;
  std::filesystem::create_directories(folder / "far");
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "far" / "book.db", "one").ok());
  std::filesystem::create_symlink(folder.path() / "far" / "book.db", folder / "book.db");
  ASSERT_TRUE(WriteFileAtomically(folder / "book.db", "two").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "book.db"));
  EXPECT_EQ(*ReadFile(folder.path() / "far" / "book.db"), "two");
}

TEST(WriteFileAtomically, DoesNotReplaceABookDatabase) {
  const testing::TempFolder folder;
  const auto write = [&](const std::string& name, std::string_view id) {
    std::string header("SQLite format 3\0", 16);
    header.resize(kDatabaseHeader);
    header.replace(68, id.size(), id);
    std::ofstream(folder / name, std::ios::binary) << header;
    return folder / name;
  };
  const std::string book = write("book.sqlite", "JOSE");
  const std::string before = *ReadFile(book);
  std::filesystem::create_symlink(book, folder / "link");
  for (const std::string& path : {book, folder / "link"}) {
    const absl::Status status = WriteFileAtomically(path, "text");
    EXPECT_EQ(ProblemOf(status).code, "file_exists") << status;
    EXPECT_EQ(ProblemOf(status).file, path);
  }
  EXPECT_EQ(*ReadFile(book), before);
  // Books of other programs are databases of SQLite, too.
  EXPECT_TRUE(WriteFileAtomically(write("book.obk", ""), "text").ok());
  EXPECT_TRUE(WriteFileAtomically(write("other.sqlite", "OTHR"), "text").ok());
}

TEST(WriteFileAtomically, GivesNoWiderPermissionsThanAskedFor) {
  const testing::TempFolder folder;
  const std::string path = folder / "key.pem";
  ASSERT_TRUE(WriteFileAtomically(path, "open", 0644).ok());
  ASSERT_TRUE(WriteFileAtomically(path, "secret", 0600).ok());
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(ReadFile, SaysWhichFileIsMissing) {
  const testing::TempFolder folder;
  const std::string path = folder / "nothing";
  const auto bytes = ReadFile(path);
  EXPECT_TRUE(absl::IsNotFound(bytes.status()));
  EXPECT_EQ(ProblemOf(bytes.status()).file, path);
}

}  // namespace
}  // namespace joseki
