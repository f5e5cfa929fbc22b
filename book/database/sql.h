#pragma once

#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/problem.h"

namespace joseki::book {

// Stores an unsigned number in SQLite's signed type, bit for bit.
inline int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

// The status of a SQLite exception, by the caller's remedy: "disk_full" is ResourceExhausted,
// "database_busy" Unavailable, "database_corrupt" DataLoss, "read_only" PermissionDenied,
// "file_error" NotFound without the folder. "constraint" (which the caller rules out first) and
// everything else are Internal. `file` is the database, for the message.
absl::Status SqlStatus(const std::exception& error, std::string_view file);

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

// Runs `body`, in which SQLite may throw, and turns exceptions into a status. `body` returns void,
// absl::Status or absl::StatusOr<T>; for void GuardSql returns absl::Status. An exception rolls
// back a transaction object of the body on its way out. A DataLoss of the body that names no file
// gets `file`.
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
