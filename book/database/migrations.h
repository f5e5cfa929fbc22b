#pragma once

#include <span>

namespace SQLite {
class Database;
}

namespace joseki::book {

// One step of the schema: brings a database with its content from the version before to `version`.
struct Migration {
  int version;      // version of the database afterwards
  const char* sql;  // statements, run in a transaction with foreign keys off
};

// All steps, ascending by version from 1 without gaps. A new database takes all of them, so that
// new and migrated databases cannot differ. A published step never changes, because databases have
// already taken it. A new table or column goes into the newest unpublished step, or into a new one
// at the end.
std::span<const Migration> Migrations();

// The version of a database; 0: no tables yet.
int VersionOf(SQLite::Database& db);

// Applies all `steps` to a new database, in the caller's transaction. Throws as Migrate does.
// REQUIRES: the database is empty.
void CreateTables(SQLite::Database& db, std::span<const Migration> steps);

// Brings a database up to the last of `steps`. Each step and its version number are one
// transaction. A process killed in between leaves a valid database of an earlier version, from
// which the next one continues. Safe when two processes migrate at once. Does nothing to a database
// of this or a newer version. Throws what SQLiteCpp throws: call it inside GuardSql (sql.h).
// REQUIRES: no transaction is open.
void Migrate(SQLite::Database& db, std::span<const Migration> steps);

}  // namespace joseki::book
