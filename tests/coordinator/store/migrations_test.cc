#include "book/database/migrations.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/file_lock.h"
#include "book/database/store.h"
#include "coordinator/offline/audit.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

using testing::TempFolder;

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

// Without comments: an old book keeps those that it was made with.
std::vector<std::string> SchemaOf(SQLite::Database& db) {
  std::vector<std::string> rows =
      Rows(db,
           "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"
           " ORDER BY type, name");
  static const std::regex comment(" *--[^\n]*");
  for (std::string& row : rows) row = std::regex_replace(row, comment, "");
  return rows;
}

// The columns that the first version of a table has: what a migration must keep.
std::string QueryOf(SQLite::Database& old, const std::string& table) {
  std::string columns;
  for (const std::string& name : Rows(old, "SELECT name FROM pragma_table_info('" + table + "')")) {
    absl::StrAppend(&columns, columns.empty() ? "" : ", ", "quote(", name, ")");
  }
  return absl::StrCat("SELECT ", columns, " FROM ", table, " ORDER BY ", columns);
}

// A book as the programs of an earlier schema version left it (tests/data/schema).
class MigrationsTest : public ::testing::TestWithParam<int> {
 protected:
  MigrationsTest() {
    Make(path_);
    Make(untouched_);
  }

  static void Make(const std::string& path) {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    const std::string name = absl::StrCat("schema/version", GetParam(), ".sql");
    db.exec(ReadFile(testing::TestData(name).string()).value());
    db.exec("PRAGMA journal_mode = WAL");
  }

  const testing::ToyRules rules_{};
  TempFolder folder_;
  const std::string path_ = folder_ / "book.sqlite";
  const std::string untouched_ = folder_ / "untouched.sqlite";
};
INSTANTIATE_TEST_SUITE_P(From, MigrationsTest, ::testing::Range(1, SchemaVersion()));

TEST(Migrations, AreNumberedWithoutGaps) {
  int expected = 1;
  for (const Migration& step : Migrations()) EXPECT_EQ(step.version, expected++);
  EXPECT_EQ(SchemaVersion(), expected - 1);
}

TEST_P(MigrationsTest, MakeTheSchemaOfANewBook) {
  const auto fresh = Store::Open(folder_ / "fresh.sqlite", OpenMode::kCreate).value();
  const auto store = Store::Open(path_, OpenMode::kReadWrite);
  ASSERT_TRUE(store.ok()) << store.status();
  SQLite::Database& db = (*store)->db();
  EXPECT_EQ(VersionOf(db), SchemaVersion());
  EXPECT_EQ(SchemaOf(db), SchemaOf(fresh->db()));
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
  EXPECT_TRUE(Rows(db, "PRAGMA foreign_key_check").empty());
  EXPECT_EQ(db.execAndGet("PRAGMA foreign_keys").getInt(), 1);
}

TEST_P(MigrationsTest, KeepEveryRow) {
  const auto store = Store::Open(path_, OpenMode::kReadWrite).value();
  SQLite::Database old(untouched_, SQLite::OPEN_READONLY);
  const std::vector<std::string> tables = Rows(
      old, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'");
  EXPECT_EQ(
      tables.size(),
      (std::array{15u, 19u, 20u, 23u, 24u, 26u, 27u}).at(static_cast<size_t>(GetParam()) - 1));
  for (const std::string& table : tables) {
    const std::string query = QueryOf(old, table);
    const std::vector<std::string> before = Rows(old, query);
    EXPECT_FALSE(before.empty()) << table << " is not in the fixture";
    EXPECT_EQ(Rows(store->db(), query), before) << table;
  }
}

TEST_P(MigrationsTest, KeepWhatTheGamesSay) {
  const auto store = Store::Open(path_, OpenMode::kReadOnly).value();  // migrates all the same
  EXPECT_EQ(store->epoch(), "0123456789abcdef0123456789abcdef");
  const AuditReport report = Audit(*store, rules_).value();
  EXPECT_EQ(report.games, 48u);
  EXPECT_EQ(report.mismatches, 0u) << report.first.at(0);
  RunStore rows(*store);
  const RunStore::Marks marks = rows.ReadMarks().value();
  EXPECT_EQ(marks.run, 3u);
  EXPECT_EQ(marks.lease, 15u);
  EXPECT_EQ(marks.session, 3u);
  EXPECT_EQ(marks.commit_seq, 48u);
  const LoadedRun loaded = LoadRun(*store, rules_, 2).value();
  EXPECT_EQ(loaded.commit_seq, 48u);
  EXPECT_EQ(loaded.counters.games, 28u);
  EXPECT_FALSE(loaded.changed.empty());
}

TEST_P(MigrationsTest, LeaveABookAloneThatACoordinatorHasOpen) {
  const std::string before = *ReadFile(path_);
  const auto lock = FileLock::Take(path_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  const auto store = Store::Open(path_, OpenMode::kReadWrite);
  EXPECT_EQ(ProblemOf(store.status()).code, "coordinator_running");
  EXPECT_EQ(*ReadFile(path_), before);
}

TEST_P(MigrationsTest, UndoAStepThatFails) {
  {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE);
    for (const char* const table : {"games_1", "checks", "imported_files", "evaluations",
                                    "match_uses", "archives", "played", "conflict_keys"}) {
      db.exec(absl::StrCat("CREATE TABLE IF NOT EXISTS ", table, " (in_the_way)"));
    }
  }
  const auto store = Store::Open(path_, OpenMode::kReadWrite);
  EXPECT_FALSE(store.ok());
  SQLite::Database db(path_, SQLite::OPEN_READWRITE);
  EXPECT_EQ(VersionOf(db), GetParam());
  for (const char* const table : {"games_1", "checks", "imported_files", "evaluations",
                                  "match_uses", "archives", "played", "conflict_keys"}) {
    const auto is_ours = absl::StrCat("SELECT 1 FROM sqlite_schema WHERE name = '", table,
                                      "' AND sql LIKE '%in_the_way%'");
    if (!Rows(db, is_ours).empty()) db.exec(absl::StrCat("DROP TABLE ", table));
  }
  SQLite::Database old(untouched_, SQLite::OPEN_READONLY);
  EXPECT_EQ(SchemaOf(db), SchemaOf(old));
}

TEST_P(MigrationsTest, AreTakenOnceByTwoConnections) {
  SQLite::Database first(path_, SQLite::OPEN_READWRITE);
  SQLite::Database second(path_, SQLite::OPEN_READWRITE);
  EXPECT_EQ(VersionOf(second), GetParam());
  Migrate(first);
  Migrate(second);
  EXPECT_EQ(VersionOf(second), SchemaVersion());
  EXPECT_EQ(Rows(second, "SELECT count(*) FROM games").at(0), "48");
}

}  // namespace
}  // namespace joseki::coordinator
