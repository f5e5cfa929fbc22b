#include "book/database/migrations.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/file_lock.h"
#include "book/database/store.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using joseki::testing::TempFolder;

// An invented step after the schema: it recreates a table that others refer to, and adds a column
// derived from another one.
constexpr char kStep[] = R"sql(
CREATE TABLE new_snapshots (
  sha256 BLOB PRIMARY KEY,
  size   INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  links  BLOB
) STRICT;
INSERT INTO new_snapshots (sha256, size, bytes, links)
  SELECT sha256, length(bytes), bytes, links FROM snapshots;
DROP TABLE snapshots;
ALTER TABLE new_snapshots RENAME TO snapshots;
ALTER TABLE positions ADD COLUMN odd INTEGER NOT NULL DEFAULT 0;
UPDATE positions SET odd = ply % 2;
CREATE TABLE more (x INTEGER PRIMARY KEY) STRICT;
)sql";

// Every row of a query, its columns as text.
std::vector<std::string> Rows(SQLite::Database& db, const std::string& sql) {
  std::vector<std::string> rows;
  SQLite::Statement statement(db, sql);
  while (statement.executeStep()) {
    std::string row;
    for (int i = 0; i < statement.getColumnCount(); ++i) {
      absl::StrAppend(&row, i == 0 ? "" : "|", statement.getColumn(i).getString());
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> SchemaOf(SQLite::Database& db) {
  return Rows(db,
              "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"
              " ORDER BY type, name");
}

// A book of the schema before the made-up step.
class MigrationsTest : public ::testing::Test {
 protected:
  MigrationsTest() {
    const auto store = Store::Open(path_, OpenMode::kCreate).value();
    store->db().exec(
        "INSERT INTO positions (packed, ply) VALUES (zeroblob(32), 1), (randomblob(32), 2);"
        "INSERT INTO moves (position, move) VALUES (1, 7), (2, 8);"
        "INSERT INTO snapshots (sha256, bytes) VALUES (x'01', x'02');"
        "INSERT INTO runs (request_id, spec, snapshot, state, reason, created_ms, played_ms, stage,"
        " stage_seq, evidence_seq, trust_change)"
        " VALUES ('r', '{}', x'01', 'done', '', 1, 2, 3, 4, 5, 6)");
    epoch_ = store->epoch();
  }

  const int before_ = Migrations().back().version;
  const std::vector<Migration> steps_ = [] {
    std::vector<Migration> steps(Migrations().begin(), Migrations().end());
    steps.push_back({steps.back().version + 1, kStep});
    return steps;
  }();
  TempFolder folder_;
  const std::string path_ = folder_ / "book.sqlite";
  std::string epoch_;
};

TEST_F(MigrationsTest, AreNumberedWithoutGaps) {
  int expected = 1;
  for (const Migration& step : Migrations()) EXPECT_EQ(step.version, expected++);
}

TEST_F(MigrationsTest, MakeTheSchemaOfANewBook) {
  const auto fresh =
      Store::Open(folder_ / "fresh.sqlite", OpenMode::kCreate, kDefaultGame, steps_).value();
  const auto store = Store::Open(path_, OpenMode::kReadWrite, kDefaultGame, steps_);
  ASSERT_TRUE(store.ok()) << store.status();
  SQLite::Database& db = (*store)->db();
  EXPECT_EQ(VersionOf(db), before_ + 1);
  EXPECT_EQ(SchemaOf(db), SchemaOf(fresh->db()));
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_TRUE(Rows(db, "PRAGMA foreign_key_check").empty());
  EXPECT_EQ(db.execAndGet("PRAGMA foreign_keys").getInt(), 1);
}

TEST_F(MigrationsTest, KeepEveryRow) {
  const auto store =
      Store::Open(path_, OpenMode::kReadOnly, kDefaultGame, steps_);  // migrates all the same
  ASSERT_TRUE(store.ok()) << store.status();
  SQLite::Database& db = (*store)->db();
  EXPECT_EQ((*store)->epoch(), epoch_);
  EXPECT_EQ(Rows(db, "SELECT hex(packed) = hex(zeroblob(32)), ply, odd FROM positions"),
            (std::vector<std::string>{"1|1|1", "0|2|0"}));
  EXPECT_EQ(Rows(db, "SELECT position, move FROM moves"), (std::vector<std::string>{"1|7", "2|8"}));
  EXPECT_EQ(Rows(db, "SELECT size, hex(sha256), hex(bytes) FROM snapshots"),
            std::vector<std::string>{"1|01|02"});
  EXPECT_EQ(Rows(db, "SELECT request_id, hex(snapshot), trust_change FROM runs"),
            std::vector<std::string>{"r|01|6"});
}

TEST_F(MigrationsTest, LeaveABookAloneThatACoordinatorHasOpen) {
  const std::string before = *ReadFile(path_);
  const auto lock = FileLock::Take(path_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  const auto store = Store::Open(path_, OpenMode::kReadWrite, kDefaultGame, steps_);
  EXPECT_EQ(ProblemOf(store.status()).code, "coordinator_running");
  EXPECT_EQ(*ReadFile(path_), before);
}

TEST_F(MigrationsTest, UndoAStepThatFails) {
  SQLite::Database db(path_, SQLite::OPEN_READWRITE);
  db.exec("CREATE TABLE more (in_the_way)");  // which the step makes last
  const std::vector<std::string> schema = SchemaOf(db);
  EXPECT_FALSE(Store::Open(path_, OpenMode::kReadWrite, kDefaultGame, steps_).ok());
  EXPECT_EQ(VersionOf(db), before_);
  EXPECT_EQ(SchemaOf(db), schema);
}

TEST_F(MigrationsTest, AreTakenOnceByTwoConnections) {
  SQLite::Database first(path_, SQLite::OPEN_READWRITE);
  SQLite::Database second(path_, SQLite::OPEN_READWRITE);
  EXPECT_EQ(VersionOf(second), before_);
  Migrate(first, steps_);
  Migrate(second, steps_);
  EXPECT_EQ(VersionOf(second), before_ + 1);
  EXPECT_EQ(Rows(second, "SELECT count(*) FROM positions"), std::vector<std::string>{"2"});
}

TEST_F(MigrationsTest, AreRefusedByAProgramThatLacksThem) {
  ASSERT_TRUE(Store::Open(path_, OpenMode::kReadWrite, kDefaultGame, steps_).ok());
  EXPECT_EQ(ProblemOf(Store::Open(path_, OpenMode::kReadWrite).status()).code, "newer_schema");
}

}  // namespace
}  // namespace joseki::book
