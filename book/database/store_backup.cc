#include "book/database/store_backup.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/file_lock.h"
#include "book/database/sql.h"
#include "book/database/store.h"

namespace joseki::book {
namespace {

namespace fs = std::filesystem;

// Suffixes of all files of a database; Store creates the lock when it migrates.
constexpr const char* kFilesOfADatabase[] = {"", "-wal", "-shm", "-journal", ".lock"};
constexpr const char* kCountGames =
    "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM archived_games)";
// Gap for numbers that may have been assigned after the backup was made.
constexpr int64_t kNumbersLeftOut = 1'000'000'000;

absl::Status Refuse(std::string code, std::string file, std::string found, std::string expected,
                    absl::StatusCode status = absl::StatusCode::kFailedPrecondition) {
  return MakeProblem({.code = std::move(code),
                      .file = std::move(file),
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     status);
}

std::string HashFileOf(const std::string& path) { return path + ".sha256"; }

// Copies every page of `from` as of the begin of the copy. The read transaction holds that state;
// without it each commit of another process would restart the copy.
void CopyPages(SQLite::Database& from, SQLite::Database& to, const BackupOptions& options) {
  from.exec("BEGIN");
  const auto end_read = absl::MakeCleanup([&from] { from.tryExec("ROLLBACK"); });
  from.execAndGet("SELECT count(*) FROM sqlite_schema");  // takes the snapshot
  SQLite::Backup backup(to, from);
  for (;;) {
    const int result = backup.executeStep(options.pages_at_once);
    const auto total = static_cast<uint64_t>(backup.getTotalPageCount());
    const uint64_t done = total - static_cast<uint64_t>(backup.getRemainingPageCount());
    if (options.pause) options.pause(done, total);
    if (result == SQLITE_DONE) return;
  }
}

// Makes the copy one self-contained file, without log or journal.
void MakeSelfContained(SQLite::Database& db) {
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA journal_mode = DELETE");
}

absl::Status CheckWhole(SQLite::Database& db, const std::string& file) {
  const std::string sound = db.execAndGet("PRAGMA integrity_check").getString();
  if (sound != "ok") return Refuse("damaged_backup", file, sound, "a whole database");
  SQLite::Statement broken(db, "PRAGMA foreign_key_check");
  if (broken.executeStep()) {
    return Refuse(
        "damaged_backup", file,
        absl::StrCat("rows of ", broken.getColumn(0).getString(), " without what they name"),
        "a whole database");
  }
  return absl::OkStatus();
}

// Refuses a book that any process has open, and moves its write-ahead log into it.
absl::Status CheckUnused(const std::string& book) {
  const auto in_use = [&book] {
    return Refuse("database_in_use", book, "a program that has it open",
                  "a database that nobody uses");
  };
  try {
    SQLite::Database db(book, SQLite::OPEN_READWRITE);
    // Succeeds only if this is the sole connection.
    if (db.execAndGet("PRAGMA journal_mode = DELETE").getString() != "delete") return in_use();
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode() & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
      return in_use();
    }
    // A damaged book or another file is moved aside as it is.
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> MoveAside(const std::string& book) {
  std::error_code error;
  if (!fs::exists(book, error)) return std::string();
  std::string aside;
  for (int i = 1;; ++i) {
    aside = absl::StrCat(book, ".before-restore.", i);
    if (!fs::exists(aside, error)) break;
  }
  for (const char* suffix : {"-wal", "-shm", "-journal", ""}) {
    if (!fs::exists(book + suffix, error)) continue;
    RETURN_IF_ERROR(RenameFile(book + suffix, aside + suffix));
  }
  return aside;
}

void BeginEpoch(SQLite::Database& db, const std::string& name) {
  SQLite::Transaction transaction(db);
  SQLite::Statement epoch(db, "UPDATE meta SET value = ? WHERE name = 'epoch'");
  epoch.bind(1, name);
  epoch.exec();
  // Runs need no gap: operators create them and know their numbers.
  for (const std::string table : {"leases", "sessions"}) {
    db.exec(absl::StrCat("INSERT INTO sqlite_sequence (name, seq) SELECT '", table,
                         "', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '",
                         table, "')"));
    db.exec(absl::StrCat("UPDATE sqlite_sequence SET seq = seq + ", kNumbersLeftOut,
                         " WHERE name = '", table, "'"));
  }
  transaction.commit();
}

absl::Status CheckHash(const std::string& from) {
  std::error_code error;
  if (!fs::exists(HashFileOf(from), error)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string expected, ReadFile(HashFileOf(from)));
  ASSIGN_OR_RETURN(const Sha256 hash, HashOfFile(from));
  if (expected.substr(0, 64) == Hex(hash)) return absl::OkStatus();
  return Refuse("damaged_backup", from, absl::StrCat("SHA-256 ", Hex(hash)),
                absl::StrCat(expected.substr(0, 64), ", as ", HashFileOf(from), " says"));
}

}  // namespace

absl::StatusOr<BackupReport> BackUp(const std::string& book, const std::string& out,
                                    const BackupOptions& options) {
  std::error_code error;
  if (fs::exists(out, error)) {
    return Refuse("file_exists", out, "a file of that name", "a new name for each backup",
                  absl::StatusCode::kAlreadyExists);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, Store::Open(book, OpenMode::kReadOnly));
  const std::string temporary = out + ".tmp";
  fs::remove(temporary, error);
  const auto remove_temporary = absl::MakeCleanup([&temporary] {
    std::error_code ignored;
    for (const char* suffix : kFilesOfADatabase) fs::remove(temporary + suffix, ignored);
  });
  BackupReport report;
  report.epoch = store->epoch();
  const absl::Status copied = GuardSql(temporary, [&]() -> absl::Status {
    SQLite::Database copy(temporary, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    CopyPages(store->db(), copy, options);
    MakeSelfContained(copy);
    RETURN_IF_ERROR(CheckWhole(copy, out));
    report.games = static_cast<uint64_t>(copy.execAndGet(kCountGames).getInt64());
    return absl::OkStatus();
  });
  RETURN_IF_ERROR(copied);
  RETURN_IF_ERROR(SyncFile(temporary));
  ASSIGN_OR_RETURN(report.sha256, HashOfFile(temporary));
  report.bytes = fs::file_size(temporary, error);
  // The hash is written first: a backup whose hash is still missing would pass for one without.
  const std::string name = fs::path(out).filename().string();
  RETURN_IF_ERROR(
      WriteFileAtomically(HashFileOf(out), absl::StrCat(Hex(report.sha256), "  ", name, "\n")));
  RETURN_IF_ERROR(RenameFile(temporary, out));
  return report;
}

absl::StatusOr<RestoreReport> RestoreBackup(const std::string& from, const std::string& book,
                                            const BackupOptions& options,
                                            std::span<const Migration> steps) {
  std::error_code error;
  if (!fs::is_regular_file(from, error)) {
    return Refuse("file_error", from, fs::is_directory(from, error) ? "a folder" : "no such file",
                  "a backup", absl::StatusCode::kNotFound);
  }
  const std::string lock_file = book + ".lock";
  bool keep_lock_file = fs::exists(lock_file, error);
  ASSIGN_OR_RETURN(const FileLock lock, FileLock::Take(book));
  // Cleans up after a refused backup. The lock is still held while its file is removed.
  const auto remove_lock_file = absl::MakeCleanup([&] {
    std::error_code ignored;
    if (!keep_lock_file) fs::remove(lock_file, ignored);
  });
  RETURN_IF_ERROR(CheckHash(from));
  if (fs::exists(book, error)) {
    if (fs::equivalent(from, book, error)) {
      return Refuse("same_file", book, "the backup itself", "another file");
    }
    RETURN_IF_ERROR(CheckUnused(book));
  }
  const std::string temporary = book + ".restoring";
  fs::remove(temporary, error);
  const auto remove_temporary = absl::MakeCleanup([&temporary] {
    std::error_code ignored;
    for (const char* suffix : kFilesOfADatabase) fs::remove(temporary + suffix, ignored);
  });
  // The backup itself stays untouched; changes and migration apply to the copy.
  RETURN_IF_ERROR(GuardSql(from, [&] {
    SQLite::Database source(from, SQLite::OPEN_READONLY);
    SQLite::Database copy(temporary, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    CopyPages(source, copy, options);
  }));
  RestoreReport report;
  {
    const absl::StatusOr<std::unique_ptr<Store>> opened =
        Store::Open(temporary, OpenMode::kReadWrite, {}, steps);
    if (!opened.ok()) {
      Problem problem = ProblemOf(opened.status());
      problem.file = from;
      return MakeProblem(std::move(problem), opened.status().code());
    }
    const std::unique_ptr<Store>& store = *opened;
    report.lost_epoch = store->epoch();
    report.epoch = RandomEpoch();
    const absl::Status begun = GuardSql(temporary, [&]() -> absl::Status {
      RETURN_IF_ERROR(CheckWhole(store->db(), from));
      BeginEpoch(store->db(), report.epoch);
      report.games = static_cast<uint64_t>(store->db().execAndGet(kCountGames).getInt64());
      MakeSelfContained(store->db());
      return absl::OkStatus();
    });
    RETURN_IF_ERROR(begun);
  }
  RETURN_IF_ERROR(SyncFile(temporary));
  ASSIGN_OR_RETURN(report.moved_aside, MoveAside(book));
  RETURN_IF_ERROR(RenameFile(temporary, book));
  keep_lock_file = true;
  return report;
}

}  // namespace joseki::book
