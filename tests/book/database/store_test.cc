#include "book/database/store.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include "base/database_file.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/migrations.h"
#include "book/database/schema.h"
#include "book/database/sql.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using joseki::testing::TempFolder;

std::set<std::string> FilesIn(const TempFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Store, MakesABookAndOpensItAgain) {
  const TempFolder folder;
  const std::string path = folder / "book.sqlite";
  std::string epoch;
  {
    const auto store = Store::Open(path, OpenMode::kCreate);
    ASSERT_TRUE(store.ok()) << store.status();
    epoch = (*store)->epoch();
    EXPECT_EQ(epoch.size(), 32u);
    EXPECT_EQ((*store)->path(), path);
  }
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    const auto store = Store::Open(path, mode);
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_EQ((*store)->epoch(), epoch);
  }
}

TEST(Store, IsOfOneGame) {
  const TempFolder folder;
  const std::string path = folder / "toy.sqlite";
  ASSERT_TRUE(Store::Open(path, OpenMode::kCreate, "toy").ok());
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    EXPECT_TRUE(Store::Open(path, mode, "toy").ok());
    const auto any = Store::Open(path, mode);
    ASSERT_TRUE(any.ok()) << any.status();
    EXPECT_EQ((*any)->game(), "toy");
    const auto other = Store::Open(path, mode, kDefaultGame);
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(ProblemOf(other.status()).code, "other_game");
    EXPECT_EQ(ProblemOf(other.status()).found, "a book of toy");
    EXPECT_EQ(ProblemOf(other.status()).expected, "one of shogi");
  }
}

TEST(Store, GivesEveryBookItsOwnEpoch) {
  const TempFolder folder;
  const auto a = Store::Open(folder / "a.sqlite", OpenMode::kCreate);
  const auto b = Store::Open(folder / "b.sqlite", OpenMode::kCreate);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE((*a)->epoch(), (*b)->epoch());
}

TEST(Store, IsDurableAndChecksReferences) {
  const TempFolder folder;
  const auto store = Store::Open(folder / "book.sqlite", OpenMode::kCreate);
  ASSERT_TRUE(store.ok());
  SQLite::Database& db = (*store)->db();
  EXPECT_EQ(db.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(db.execAndGet("PRAGMA synchronous").getInt(), 2);  // FULL
  EXPECT_EQ(db.execAndGet("PRAGMA foreign_keys").getInt(), 1);
  EXPECT_GT(db.execAndGet("PRAGMA busy_timeout").getInt(), 0);
  EXPECT_EQ(db.execAndGet("PRAGMA application_id").getInt(), kApplicationId);
  EXPECT_EQ(db.execAndGet("PRAGMA user_version").getInt(), Migrations().back().version);
}

TEST(Store, DoesNotMakeWhatIsOnlyToBeOpened) {
  const TempFolder folder;
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite}) {
    const auto store = Store::Open(folder / "none.sqlite", mode);
    EXPECT_EQ(store.status().code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(ProblemOf(store.status()).file, folder / "none.sqlite");
  }
  EXPECT_TRUE(FilesIn(folder).empty());
}

TEST(Store, RefusesANewerSchemaUntouched) {
  const TempFolder folder;
  const std::string path = folder / "book.sqlite";
  {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    db.exec("PRAGMA user_version = 99");
    db.exec("CREATE TABLE future (x)");
  }
  const std::string before = *ReadFile(path);
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    const auto store = Store::Open(path, mode);
    EXPECT_EQ(store.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(ProblemOf(store.status()).code, "newer_schema");
    EXPECT_THAT(ProblemOf(store.status()).found, ::testing::HasSubstr("99"));
  }
  EXPECT_EQ(*ReadFile(path), before);
  EXPECT_EQ(FilesIn(folder), std::set<std::string>{"book.sqlite"});
}

TEST(Store, RefusesWhatIsNotABook) {
  const TempFolder folder;
  {
    SQLite::Database db(folder / "other.sqlite", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("CREATE TABLE t (x)");
  }
  WriteBytes(folder / "text", std::string(4096, 'x'));
  WriteBytes(folder / "short", "SQLite format 3");
  std::filesystem::create_directory(folder / "folder");
  for (const std::string name : {"other.sqlite", "text", "short", "folder"}) {
    for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
      const auto store = Store::Open(folder / name, mode);
      ASSERT_FALSE(store.ok()) << name;
      EXPECT_EQ(ProblemOf(store.status()).code, "not_a_book") << name;
    }
  }
  EXPECT_EQ(FilesIn(folder), (std::set<std::string>{"other.sqlite", "text", "short", "folder"}));
}

TEST(Store, RefusesADamagedBook) {
  const TempFolder folder;
  const std::string path = folder / "book.sqlite";
  { ASSERT_TRUE(Store::Open(path, OpenMode::kCreate).ok()); }
  const std::string bytes = *ReadFile(path);
  WriteBytes(path, bytes.substr(0, 100) + std::string(bytes.size() - 100, '\x55'));
  const auto store = Store::Open(path, OpenMode::kReadWrite);
  EXPECT_EQ(store.status().code(), absl::StatusCode::kDataLoss) << store.status();
}

TEST(Store, APathMayBeginWithTwoSlashes) {
  const TempFolder folder;
  const std::string path = "/" + (folder / "a?b#c%20.sqlite");
  ASSERT_TRUE(Store::Open(path, OpenMode::kCreate).ok());
  const auto store = Store::Open(path, OpenMode::kReadOnly);
  EXPECT_TRUE(store.ok()) << store.status();
}

TEST(Store, NamesWhatADamagedBookLacks) {
  const TempFolder folder;
  const std::string path = folder / "book.sqlite";
  { ASSERT_TRUE(Store::Open(path, OpenMode::kCreate).ok()); }
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("DELETE FROM meta WHERE name = 'epoch'");
  const Problem problem = ProblemOf(Store::Open(path, OpenMode::kReadOnly).status());
  EXPECT_EQ(problem.code, "database_corrupt");
  EXPECT_EQ(problem.file, path);
  EXPECT_EQ(problem.found, "no row 'epoch' in meta");
}

TEST(Store, TakesAnEmptyFileForANewBook) {
  const TempFolder folder;
  WriteBytes(folder / "book.sqlite", "");
  EXPECT_EQ(ProblemOf(Store::Open(folder / "book.sqlite", OpenMode::kReadWrite).status()).code,
            "not_a_book");
  EXPECT_TRUE(Store::Open(folder / "book.sqlite", OpenMode::kCreate).ok());
}

// Another process that closes the last connection it knows of deletes the write-ahead log. Our
// connection must be visible to it, whatever connections this process opens and closes meanwhile.
TEST(Store, KeepsItsLockWhenAnotherConnectionIsClosed) {
  const TempFolder folder;
  const std::string path = folder / "book.sqlite";
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t other = fork();  // before this process has anything open that it would inherit
  ASSERT_GE(other, 0);
  if (other == 0) {
    char byte = 0;
    const bool told = read(go[0], &byte, 1) == 1;
    const bool opened = told && Store::Open(path, OpenMode::kReadWrite).ok();  // and closed
    _exit(opened ? 0 : 1);
  }
  const auto store = Store::Open(path, OpenMode::kCreate);
  ASSERT_TRUE(store.ok()) << store.status();
  (*store)->db().exec("INSERT INTO meta VALUES ('a', '1')");
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    ASSERT_TRUE(Store::Open(path, mode).ok());
  }
  ASSERT_EQ(write(go[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists(path + "-wal"));
  (*store)->db().exec("INSERT INTO meta VALUES ('b', '2')");
  EXPECT_TRUE(Store::Open(path, OpenMode::kReadOnly).ok());
  close(go[0]);
  close(go[1]);
}

TEST(GuardSql, TurnsExceptionsIntoStatuses) {
  const TempFolder folder;
  const auto store = Store::Open(folder / "book.sqlite", OpenMode::kCreate);
  ASSERT_TRUE(store.ok());
  SQLite::Database& db = (*store)->db();
  EXPECT_TRUE(GuardSql("f", [&] { db.exec("SELECT 1"); }).ok());
  EXPECT_EQ(GuardSql("f", [&] { db.exec("no sql"); }).code(), absl::StatusCode::kInternal);
  EXPECT_EQ(GuardSql("f", [] { throw std::runtime_error("x"); }).code(),
            absl::StatusCode::kInternal);

  db.exec("PRAGMA max_page_count = 1");  // the least that the file already has
  const absl::Status full = GuardSql("f", [&] {
    db.exec("CREATE TABLE filler (x BLOB)");
    db.exec("INSERT INTO filler VALUES (zeroblob(10000000))");
  });
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ProblemOf(full).code, "disk_full");
  EXPECT_EQ(ProblemOf(full).file, "f");

  SQLite::Database other(folder / "book.sqlite", SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  db.setBusyTimeout(0);
  const absl::Status busy = GuardSql("f", [&] { db.exec("BEGIN IMMEDIATE"); });
  EXPECT_EQ(busy.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ProblemOf(busy).code, "database_busy");

  const auto reader = Store::Open(folder / "book.sqlite", OpenMode::kReadOnly);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(ProblemOf(GuardSql("f", [&] { (*reader)->db().exec("DELETE FROM meta"); })).code,
            "read_only");
}

TEST(GuardSql, HandsOnWhatTheBodyReturns) {
  EXPECT_EQ(GuardSql("f", [] { return absl::AbortedError("a"); }).code(),
            absl::StatusCode::kAborted);
  const absl::StatusOr<int> value = GuardSql("f", []() -> absl::StatusOr<int> { return 7; });
  EXPECT_EQ(*value, 7);
  EXPECT_FALSE(GuardSql("f", []() -> absl::StatusOr<int> { throw std::runtime_error("x"); }).ok());
}

}  // namespace
}  // namespace joseki::book
