#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A permanent refusal: a repeated call would fail again.
inline absl::Status Refuse(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kFailedPrecondition);
}

// A temporary refusal: a repeated call may succeed a little later.
inline absl::Status QueueFull() {
  return MakeProblem({.code = "queue_full",
                      .found = "more games waiting than can be written",
                      .expected = "the same call again a little later"},
                     absl::StatusCode::kResourceExhausted);
}

inline absl::Status ShuttingDown() {
  return MakeProblem({.code = "shutting_down", .found = "a coordinator that is shutting down"},
                     absl::StatusCode::kUnavailable);
}

inline absl::Status UnknownSession(SessionId session) {
  return Refuse("unknown_session", absl::StrCat("session ", session),
                "the newest session of a worker: join again");
}

inline absl::Status UnknownRun(RunId run) {
  return MakeProblem(
      {.code = "unknown_run", .found = absl::StrCat("run ", run), .expected = "a run"},
      absl::StatusCode::kNotFound);
}

}  // namespace joseki::coordinator
