#pragma once

#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/problem.h"

namespace joseki::book {

// Numbers that we count without a sign, and SQLite with one: the same bits.
inline int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

// The status of an exception of SQLite, by the caller's remedy: "disk_full" is ResourceExhausted,
// "database_busy" Unavailable, "database_corrupt" DataLoss, "read_only" PermissionDenied,
// "constraint" Internal (the caller checks first), the rest Internal. `file` is the database, for
// the message.
absl::Status SqlStatus(const std::exception& error, std::string_view file);

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

// Runs `body`, in which SQLite may throw, and lets nothing out but a status. `body` returns void or
// absl::Status (GuardSql then returns absl::Status) or absl::StatusOr<T>. A transaction object of
// the body is rolled back by the exception that passes it. Where the body finds damaged rows
// (DataLoss) and names no file, it is this one.
template <typename Body>
auto GuardSql(std::string_view file, Body&& body) {
  using Returned = std::invoke_result_t<Body>;
  using Answer = std::conditional_t<std::is_void_v<Returned>, absl::Status, Returned>;
  try {
    if constexpr (std::is_void_v<Returned>) {
      body();
      return Answer(absl::OkStatus());
    } else {
      Answer answer(body());
      if (!absl::IsDataLoss(StatusOf(answer))) return answer;
      return Answer(At(StatusOf(answer), file));
    }
  } catch (const std::exception& error) {
    return Answer(SqlStatus(error, file));
  }
}

}  // namespace joseki::book
