#include "book/database/migrations.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/database_file.h"
#include "book/database/schema.h"

namespace joseki::book {
namespace {

constexpr Migration kMigrations[] = {{1, kSchema}};

void Take(SQLite::Database& db, const Migration& step) {
  db.exec(step.sql);
  db.exec(absl::StrCat("PRAGMA application_id = ", kApplicationId));
  db.exec(absl::StrCat("PRAGMA user_version = ", step.version));
}

}  // namespace

std::span<const Migration> Migrations() { return kMigrations; }

int VersionOf(SQLite::Database& db) { return db.execAndGet("PRAGMA user_version").getInt(); }

void CreateTables(SQLite::Database& db, std::span<const Migration> steps) {
  for (const Migration& step : steps) Take(db, step);
}

void Migrate(SQLite::Database& db, std::span<const Migration> steps) {
  if (VersionOf(db) >= steps.back().version) return;
  // Lets a migration replace tables that others refer to; cannot be changed inside a transaction.
  db.exec("PRAGMA foreign_keys = OFF");
  for (const Migration& step : steps) {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::EXCLUSIVE);
    // Already there, or another process was faster.
    if (VersionOf(db) != step.version - 1) continue;
    Take(db, step);
    transaction.commit();
  }
}

}  // namespace joseki::book
