#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/problem.h"
#include "book/database/sql.h"
#include "book/database/store.h"

// Prepared statements and row errors, shared by all tables.
namespace joseki::coordinator {

// A prepared statement for one use: bound in order, and reset when the use is over. No forgotten
// cursor thus keeps a snapshot of the database alive.
class Use {
 public:
  explicit Use(SQLite::Statement& statement) : statement_(statement) {}
  ~Use() { statement_.tryReset(); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  template <typename... Args>
  Use& Bind(const Args&... args) {
    (BindOne(args), ...);
    return *this;
  }
  bool Step() { return statement_.executeStep(); }
  // Runs a statement without rows; returns the number of rows that it changed.
  int Run() { return statement_.exec(); }

  int64_t Int(int column) { return statement_.getColumn(column).getInt64(); }
  uint64_t Unsigned(int column) { return static_cast<uint64_t>(Int(column)); }
  std::string Text(int column) { return statement_.getColumn(column).getString(); }
  std::string_view Blob(int column) {
    const SQLite::Column value = statement_.getColumn(column);
    const auto* bytes = static_cast<const char*>(value.getBlob());
    return bytes == nullptr ? std::string_view()
                            : std::string_view(bytes, static_cast<size_t>(value.getBytes()));
  }
  // A column's number, which must lie in [low, high].
  template <typename T>
  T In(int column, int64_t low, int64_t high, absl::Status& problem) {
    const int64_t value = Int(column);
    if (value < low || value > high) {
      problem.Update(
          MakeProblem({.code = "bad_row",
                       .found = absl::StrCat(statement_.getColumnName(column), " ", value),
                       .expected = absl::StrCat("a number from ", low, " to ", high)},
                      absl::StatusCode::kDataLoss));
      return T{};
    }
    return static_cast<T>(value);
  }

 private:
  template <typename T>
  void BindOne(const T& value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
      statement_.bind(next_++);
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      statement_.bind(next_++, static_cast<int64_t>(value));
    } else if constexpr (requires { value.blob; }) {
      const std::string_view bytes = value.blob;
      // A null pointer would bind NULL, not an empty blob.
      statement_.bindNoCopy(next_++, bytes.empty() ? "" : bytes.data(),
                            static_cast<int>(bytes.size()));
    } else if constexpr (std::is_same_v<T, std::string>) {
      statement_.bind(next_++, value);
    } else {
      statement_.bind(next_++, std::string(value));
    }
  }

  SQLite::Statement& statement_;
  int next_ = 1;
};

// Marks bytes to bind as a blob; they must stay in place until the statement has run.
struct Bytes {
  std::string_view blob;
};
inline Bytes BytesOf(const Sha256& hash) {
  return {std::string_view(reinterpret_cast<const char*>(hash.data()), hash.size())};
}

inline constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kMaxUint32 = std::numeric_limits<uint32_t>::max();

inline absl::Status DataLoss(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_row", .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kDataLoss);
}

// Adds the place of an unreadable row to its error: "book.sqlite: runs 3: spec.games".
inline absl::Status InRow(const absl::Status& status, const std::string& file, const char* table,
                          uint64_t key) {
  if (status.ok()) return status;
  Problem problem = ProblemOf(status);
  problem.file =
      absl::StrCat(file, ": ", table, " ", key, problem.file.empty() ? "" : ": ", problem.file);
  return MakeProblem(std::move(problem), status.code());
}

// The prepared statements of one connection. Thread rule: as the Store it stands on.
class Statements {
 public:
  explicit Statements(book::Store& store) : store_(store) {}
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  book::Store& store() { return store_; }
  const std::string& file() const { return store_.path(); }

  // The statement of this text, prepared at its first use. REQUIRES: a string literal.
  SQLite::Statement& Prepared(const char* sql) {
    std::unique_ptr<SQLite::Statement>& statement = prepared_[sql];
    if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(store_.db(), sql);
    return *statement;
  }
  // Runs `body`; exceptions of SQLite become its status.
  template <typename Body>
  auto Guard(Body&& body) {
    return book::GuardSql(store_.path(), std::forward<Body>(body));
  }

 private:
  book::Store& store_;
  std::map<const char*, std::unique_ptr<SQLite::Statement>> prepared_;
};

}  // namespace joseki::coordinator
