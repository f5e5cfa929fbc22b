#pragma once

#include <span>

namespace SQLite {
class Database;
}

namespace joseki::book {

// One step of the schema: takes a database from the version before to its own, content included.
struct Migration {
  int version;      // that a database has after it
  const char* sql;  // statements; run inside a transaction, foreign keys off
};

// All steps, in ascending order of version, from 1 without gaps. A new database takes all of them,
// so that new and old ones cannot differ. A step that was published never changes: databases out
// there have taken it. A new table or column belongs to the newest step that was not, or to a new
// one at the end.
std::span<const Migration> Migrations();

// The version of a database; 0: it has no tables yet.
int VersionOf(SQLite::Database& db);

// All `steps` for a new database, in the caller's transaction. Throws as Migrate. REQUIRES: the
// database is empty.
void CreateTables(SQLite::Database& db, std::span<const Migration> steps);

// Brings a database up to the last of `steps`. Each step is one transaction, with the version in
// it: a process that is killed in between leaves a whole database of an earlier version, and the
// next one goes on from there. Two processes may come here together. Nothing happens to a database
// of this version or a newer one. Throws what SQLiteCpp throws: to be called inside GuardSql
// (sql.h). REQUIRES: no transaction is open.
void Migrate(SQLite::Database& db, std::span<const Migration> steps);

}  // namespace joseki::book
