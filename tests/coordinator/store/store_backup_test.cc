#include "book/database/store_backup.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/database/file_lock.h"
#include "book/database/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

class BackupTest : public ::testing::Test {
 protected:
  BackupTest() { testing::WriteToyBook(book_, 6); }

  // In the folder, but for what SQLite keeps beside a book that was read.
  std::set<std::string> Files() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name != "book.sqlite-wal" && name != "book.sqlite-shm") names.insert(name);
    }
    return names;
  }
  static int64_t Positions(book::Store& store) {
    return store.db().execAndGet("SELECT count(*) FROM positions").getInt64();
  }

  testing::TempFolder folder_;
  const std::string book_ = folder_ / "book.sqlite";
  const std::string out_ = folder_ / "book.backup";
};

TEST_F(BackupTest, IsTheBookAsItWasWhenItBegan) {
  const auto store = book::Store::Open(book_, book::OpenMode::kReadWrite).value();
  const int64_t positions = Positions(*store);
  // Another connection goes on writing while the pages are copied.
  book::BackupOptions options;
  options.pages_at_once = 1;
  int steps = 0;
  options.pause = [&](uint64_t done, uint64_t total) {
    EXPECT_LE(done, total);
    ++steps;
    store->db().exec("INSERT INTO positions (packed, ply) VALUES (randomblob(32), 1)");
  };
  const auto report = book::BackUp(book_, out_, options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GT(steps, 3);
  EXPECT_EQ(report->epoch, store->epoch());
  EXPECT_EQ(report->bytes, std::filesystem::file_size(out_));
  EXPECT_EQ(report->sha256, Sha256Of(*ReadFile(out_)));
  EXPECT_EQ(*ReadFile(out_ + ".sha256"), Hex(report->sha256) + "  book.backup\n");
  EXPECT_EQ(Positions(*store), positions + steps);
  SQLite::Database copy(out_, SQLite::OPEN_READONLY);
  EXPECT_EQ(copy.execAndGet("SELECT count(*) FROM positions").getInt64(), positions);
  EXPECT_EQ(copy.execAndGet("PRAGMA journal_mode").getString(), "delete");
  EXPECT_THAT(Files(), ::testing::IsSupersetOf({"book.backup", "book.backup.sha256"}));
  EXPECT_THAT(Files(), ::testing::Not(::testing::Contains(::testing::HasSubstr(".tmp"))));
}

TEST_F(BackupTest, IsNeverWrittenOver) {
  ASSERT_TRUE(book::BackUp(book_, out_).ok());
  const std::string bytes = *ReadFile(out_);
  EXPECT_EQ(ProblemOf(book::BackUp(book_, out_).status()).code, "file_exists");
  EXPECT_EQ(*ReadFile(out_), bytes);
}

TEST_F(BackupTest, LeavesNothingWhereItFails) {
  const std::set<std::string> before = Files();
  EXPECT_FALSE(book::BackUp(folder_ / "none", out_).ok());
  EXPECT_FALSE(book::BackUp(book_, folder_ / "no folder/book.backup").ok());
  EXPECT_EQ(Files(), before);
}

TEST_F(BackupTest, RestoresUnderANewEpoch) {
  const auto backup = book::BackUp(book_, out_).value();
  const std::string other = folder_ / "other.sqlite";
  const auto report = book::RestoreBackup(out_, other);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->lost_epoch, backup.epoch);
  EXPECT_NE(report->epoch, backup.epoch);
  EXPECT_EQ(report->moved_aside, "");
  const auto store = book::Store::Open(other, book::OpenMode::kReadWrite).value();
  EXPECT_EQ(store->epoch(), report->epoch);
  const auto old = book::Store::Open(book_, book::OpenMode::kReadOnly).value();
  EXPECT_EQ(Positions(*store), Positions(*old));
  RunStore rows(*store);
  const Marks marks = rows.ReadMarks().value();
  EXPECT_GT(marks.lease, 1'000'000u);
  EXPECT_GT(marks.session, 1'000'000u);
  EXPECT_EQ(marks.run, 1u);
}

TEST_F(BackupTest, MovesAsideWhatHasTheName) {
  ASSERT_TRUE(book::BackUp(book_, out_).ok());
  for (int i = 1; i <= 2; ++i) {
    const auto report = book::RestoreBackup(out_, book_);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->moved_aside, book_ + ".before-restore." + std::to_string(i));
    EXPECT_TRUE(book::Store::Open(report->moved_aside, book::OpenMode::kReadWrite).ok());
    EXPECT_EQ(book::Store::Open(book_, book::OpenMode::kReadWrite).value()->epoch(), report->epoch);
  }
  std::ofstream(book_, std::ios::binary) << "no database any more";
  EXPECT_TRUE(book::RestoreBackup(out_, book_).ok()) << "a broken book is what backups are for";
}

TEST_F(BackupTest, RefusesABookInUse) {
  ASSERT_TRUE(book::BackUp(book_, out_).ok());
  {
    const auto lock = book::FileLock::Take(book_).value();
    EXPECT_EQ(ProblemOf(book::RestoreBackup(out_, book_).status()).code, "coordinator_running");
  }
  {
    const auto store = book::Store::Open(book_, book::OpenMode::kReadOnly).value();
    EXPECT_EQ(ProblemOf(book::RestoreBackup(out_, book_).status()).code, "database_in_use");
  }
  EXPECT_TRUE(book::RestoreBackup(out_, book_).ok());
}

TEST_F(BackupTest, RefusesADamagedBackup) {
  ASSERT_TRUE(book::BackUp(book_, out_).ok());
  std::string bytes = *ReadFile(out_);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(out_, std::ios::binary) << bytes;
  EXPECT_EQ(ProblemOf(book::RestoreBackup(out_, book_).status()).code, "damaged_backup");
  EXPECT_EQ(book::RestoreBackup(folder_ / "none", book_).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ProblemOf(book::RestoreBackup(book_, book_).status()).code, "same_file");
  // The file at fault is the one that was named, not the copy.
  const std::string empty = folder_ / "empty.sqlite";
  std::ofstream(empty, std::ios::binary).flush();
  const Problem none = ProblemOf(book::RestoreBackup(empty, book_).status());
  EXPECT_EQ(none.code, "not_a_book");
  EXPECT_EQ(none.file, empty);
  EXPECT_EQ(ProblemOf(book::RestoreBackup(folder_ / "", book_).status()).found, "a folder");
  EXPECT_TRUE(book::Store::Open(book_, book::OpenMode::kReadWrite).ok()) << "untouched";
}

TEST_F(BackupTest, RestoresABackupOfAnOlderSchemaWithoutTouchingIt) {
  ASSERT_TRUE(book::BackUp(book_, out_).ok());
  const std::string before = *ReadFile(out_);
  std::vector<book::Migration> steps(book::Migrations().begin(), book::Migrations().end());
  steps.push_back({steps.back().version + 1, "CREATE TABLE more (x INTEGER PRIMARY KEY) STRICT"});
  const std::string restored = folder_ / "restored.sqlite";
  const auto report = book::RestoreBackup(out_, restored, {}, steps);
  ASSERT_TRUE(report.ok()) << report.status();
  const auto store = book::Store::Open(restored, book::OpenMode::kReadOnly, {}, steps);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ(book::VersionOf((*store)->db()), steps.back().version);
  EXPECT_EQ(Positions(**store),
            Positions(*book::Store::Open(book_, book::OpenMode::kReadOnly).value()));
  EXPECT_EQ(*ReadFile(out_), before);
}

}  // namespace
}  // namespace joseki::coordinator
