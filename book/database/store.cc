#include "book/database/store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/database_file.h"
#include "base/hash.h"
#include "base/printable.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/file_lock.h"
#include "book/database/migrations.h"
#include "book/database/sql.h"

namespace joseki::book {
namespace {

constexpr int kBusyTimeoutMs = 10'000;

// Facts from the header in the first hundred bytes of a database file. They are read before SQLite
// opens the database, because opening a WAL-mode file leaves a -wal and a -shm beside it.
struct Header {
  bool exists = false;
  bool empty = false;
  bool is_sqlite = false;
  bool is_ours = false;
  uint32_t user_version = 0;
};

uint32_t BigEndian32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

// `path` as an immutable URI: needed in a folder without write permission, where SQLite cannot
// create the -shm.
std::string ImmutableUri(const std::string& path) {
  // An absolute path needs an empty host before it: in a path that begins with //, the first part
  // would be taken for a host.
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      absl::StrAppend(&uri, "%", Hex(std::string_view(&c, 1)));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

// Reads through SQLite's own file handle. Closing any other handle on the file would drop this
// process's POSIX locks on it. Another process could then reset the write-ahead log under our
// connections.
void ReadBytes(const std::string& path, std::array<char, kDatabaseHeader>& bytes) {
  const SQLite::Database db(ImmutableUri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  sqlite3_file* file = nullptr;
  sqlite3_file_control(db.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  // xRead fills the missing bytes of a short file with zeros.
  file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
}

absl::StatusOr<Header> ReadHeader(const std::string& path) {
  Header header;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    if (error && error != std::errc::no_such_file_or_directory) {
      return FileProblem(error.value(), path, "a readable file");
    }
    return header;
  }
  header.exists = true;
  if (!std::filesystem::is_regular_file(status)) return header;
  std::array<char, kDatabaseHeader> bytes{};
  try {
    ReadBytes(path, bytes);
  } catch (const SQLite::Exception&) {
    return MakeProblem({.code = "file_error",
                        .file = path,
                        .found = "a file that cannot be read",
                        .expected = "a readable file"},
                       absl::StatusCode::kPermissionDenied);
  }
  const uintmax_t size = std::filesystem::file_size(path, error);
  header.empty = size == 0;
  const std::string_view head(bytes.data(), bytes.size());
  header.is_sqlite = size >= head.size() && IsSqlite(head);
  header.user_version = BigEndian32(head, 60);
  header.is_ours = IsBookDatabase(head);
  return header;
}

absl::Status NewerSchema(const std::string& path, int64_t version, int ours) {
  return MakeProblem(
      {.code = "newer_schema",
       .file = path,
       .found = absl::StrCat("schema version ", version),
       .expected =
           absl::StrCat("version ", ours, " or older: use a newer joseki; the file is untouched")},
      absl::StatusCode::kFailedPrecondition);
}

absl::Status NotABook(const std::string& path, std::string found) {
  return MakeProblem({.code = "not_a_book",
                      .file = path,
                      .found = std::move(found),
                      .expected = "a book database of joseki"},
                     absl::StatusCode::kFailedPrecondition);
}

// Refuses a file of another program or of a newer schema, by the header alone.
absl::Status CheckHeader(const Header& header, const std::string& path, OpenMode mode, int ours) {
  if (!header.exists || (header.empty && mode == OpenMode::kCreate)) {
    if (mode == OpenMode::kCreate) return absl::OkStatus();
    return MakeProblem({.code = "file_error",
                        .file = path,
                        .found = "no such file",
                        .expected = "a book database (`joseki import` makes one)"},
                       absl::StatusCode::kNotFound);
  }
  if (!header.is_sqlite) return NotABook(path, header.empty ? "an empty file" : "another file");
  if (!header.is_ours || header.user_version == 0) {
    return NotABook(path, "a database of another program");
  }
  if (header.user_version > static_cast<uint32_t>(ours)) {
    return NewerSchema(path, header.user_version, ours);
  }
  return absl::OkStatus();
}

// Creates tables and first rows in one transaction of the rollback journal. The file's header thus
// identifies it from the first byte on. Safe when two processes create it at once: the second finds
// the work done.
void CreateBook(SQLite::Database& db, std::string_view game, std::span<const Migration> steps) {
  SQLite::Transaction transaction(db, SQLite::TransactionBehavior::EXCLUSIVE);
  if (VersionOf(db) != 0) return;
  CreateTables(db, steps);
  SQLite::Statement meta(db, "INSERT INTO meta VALUES ('game', ?), ('epoch', ?)");
  meta.bind(1, std::string(game));
  meta.bind(2, RandomEpoch());
  meta.exec();
  transaction.commit();
}

absl::StatusOr<std::string> ReadMeta(SQLite::Database& db, const std::string& path,
                                     const std::string& name) {
  SQLite::Statement row(db, "SELECT value FROM meta WHERE name = ?");
  row.bind(1, name);
  if (row.executeStep()) return row.getColumn(0).getString();
  return MakeProblem({.code = "database_corrupt",
                      .file = path,
                      .found = absl::StrCat("no row '", name, "' in meta"),
                      .expected = "a book database of joseki, whole"},
                     absl::StatusCode::kDataLoss);
}

// Removes the remains of a book whose creation failed, e.g. on a full disk; nobody can have used
// it.
void RemoveIfEmpty(const std::string& path) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) == 0 && !error) std::filesystem::remove(path, error);
}

bool NeedsImmutable(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::error_code error;
  return access(folder.empty() ? "." : folder.c_str(), W_OK) != 0 &&
         !std::filesystem::exists(path + "-wal", error);
}

// A store is used by one thread at a time, so SQLite's mutex is not needed.
std::unique_ptr<SQLite::Database> Connect(const std::string& path, OpenMode mode) {
  std::unique_ptr<SQLite::Database> db;
  if (mode == OpenMode::kReadOnly) {
    const bool immutable = NeedsImmutable(path);
    db = std::make_unique<SQLite::Database>(
        immutable ? ImmutableUri(path) : path,
        SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX | (immutable ? SQLite::OPEN_URI : 0),
        kBusyTimeoutMs);
  } else {
    const int create = mode == OpenMode::kCreate ? SQLite::OPEN_CREATE : 0;
    db = std::make_unique<SQLite::Database>(
        path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX | create, kBusyTimeoutMs);
  }
  return db;
}

// Takes the coordinator's lock: an older coordinator with the book open would go on writing rows of
// the old schema.
absl::Status MigrateFile(const std::string& path, int version, std::span<const Migration> steps) {
  const absl::StatusOr<FileLock> lock = FileLock::Take(path);
  if (absl::IsPermissionDenied(lock.status())) {
    return MakeProblem({.code = "older_schema",
                        .file = path,
                        .found = absl::StrCat("schema version ", version),
                        .expected = absl::StrCat("version ", steps.back().version,
                                                 ", or a file and a folder that can be written")},
                       absl::StatusCode::kFailedPrecondition);
  }
  RETURN_IF_ERROR(lock.status());
  return GuardSql(path, [&] {
    const std::unique_ptr<SQLite::Database> db = Connect(path, OpenMode::kReadWrite);
    db->exec("PRAGMA synchronous = FULL");
    Migrate(*db, steps);
  });
}

bool FolderIsThere(std::string_view file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code error;
  return folder.empty() || std::filesystem::is_directory(folder, error);
}

}  // namespace

absl::Status SqlStatus(const std::exception& error, std::string_view file) {
  const auto problem = [&](std::string code, absl::StatusCode status, std::string expected) {
    return MakeProblem({.code = std::move(code),
                        .file = std::string(file),
                        .found = error.what(),
                        .expected = std::move(expected)},
                       status);
  };
  const auto* sql = dynamic_cast<const SQLite::Exception*>(&error);
  switch (sql == nullptr ? SQLITE_ERROR : sql->getErrorCode() & 0xff) {
    case SQLITE_FULL:
      return problem("disk_full", absl::StatusCode::kResourceExhausted, "room on the disk");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return problem("database_busy", absl::StatusCode::kUnavailable,
                     "no other program writing to it");
    case SQLITE_CORRUPT:
      return problem("database_corrupt", absl::StatusCode::kDataLoss, "a sound database");
    case SQLITE_NOTADB:
      return problem("not_a_book", absl::StatusCode::kFailedPrecondition,
                     "a book database of joseki");
    case SQLITE_CANTOPEN:
      if (!FolderIsThere(file)) return FileProblem(ENOENT, file, "a folder that is there");
      [[fallthrough]];
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return problem("read_only", absl::StatusCode::kPermissionDenied,
                     "a file and a folder that can be written");
    case SQLITE_IOERR:
      return problem("io_error", absl::StatusCode::kUnavailable, "a disk that works");
    case SQLITE_CONSTRAINT:
      return problem("constraint", absl::StatusCode::kInternal, "rows that the schema allows");
    default:
      return problem("database_error", absl::StatusCode::kInternal, "a database that answers");
  }
}

void RemoveIfNothingIsIn(const std::string& path) {
  try {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
    // Exclusive access proves that nobody else has it open; nothing is written, as the disk may be
    // full.
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    const SQLite::Transaction alone(db, SQLite::TransactionBehavior::EXCLUSIVE);
    const int64_t rows = db.execAndGet(
                               "SELECT (SELECT count(*) FROM sources)"
                               " + (SELECT count(*) FROM runs)")
                             .getInt64();
    if (rows != 0) return;
    for (const char* const suffix : {"", "-wal", "-shm"}) {
      std::error_code error;
      std::filesystem::remove(path + suffix, error);
    }
  } catch (const SQLite::Exception&) {
    return;  // in use, or not a book
  }
}

std::string RandomEpoch() {
  std::random_device device;
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    const uint32_t word = device();
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return Hex(bytes);
}

absl::StatusOr<std::unique_ptr<Store>> Store::Open(const std::string& path, OpenMode mode,
                                                   std::string_view game,
                                                   std::span<const Migration> steps) {
  const int ours = steps.back().version;
  ASSIGN_OR_RETURN(const Header header, ReadHeader(path));
  RETURN_IF_ERROR(CheckHeader(header, path, mode, ours));
  return GuardSql(path, [&]() -> absl::StatusOr<std::unique_ptr<Store>> {
    std::unique_ptr<SQLite::Database> db = Connect(path, mode);
    if (mode == OpenMode::kCreate && (!header.exists || header.empty)) {
      const absl::Status created =
          GuardSql(path, [&] { CreateBook(*db, game.empty() ? kDefaultGame : game, steps); });
      if (!created.ok()) {
        db.reset();
        if (!header.exists) RemoveIfEmpty(path);
        return created;
      }
    }
    // The version as SQLite reads it, write-ahead log included, decides.
    if (const int version = VersionOf(*db); version < ours) {
      db.reset();
      RETURN_IF_ERROR(MigrateFile(path, version, steps));
      db = Connect(path, mode);
    }
    if (const int version = VersionOf(*db); version > ours) {
      return NewerSchema(path, version, ours);
    }
    if (mode != OpenMode::kReadOnly) {
      db->exec("PRAGMA journal_mode = WAL");
      db->exec("PRAGMA synchronous = FULL");
    }
    db->exec("PRAGMA foreign_keys = ON");
    std::unique_ptr<Store> store(new Store(path, std::move(db)));
    ASSIGN_OR_RETURN(store->epoch_, ReadMeta(store->db(), path, "epoch"));
    ASSIGN_OR_RETURN(store->game_, ReadMeta(store->db(), path, "game"));
    if (!game.empty() && store->game_ != game) {
      return MakeProblem({.code = "other_game",
                          .file = path,
                          .found = absl::StrCat("a book of ", Printable(store->game_)),
                          .expected = absl::StrCat("one of ", std::string(game))},
                         absl::StatusCode::kFailedPrecondition);
    }
    return store;
  });
}

Store::Store(std::string path, std::unique_ptr<SQLite::Database> db)
    : path_(std::move(path)), db_(std::move(db)) {}

Store::~Store() = default;

}  // namespace joseki::book
