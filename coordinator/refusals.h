#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/problem.h"

namespace joseki::coordinator {

// What the same call would meet again.
inline absl::Status Refuse(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kFailedPrecondition);
}

// What the same call will not meet a little later.
inline absl::Status QueueFull() {
  return MakeProblem({.code = "queue_full",
                      .found = "more games waiting than can be written",
                      .expected = "the same call again a little later"},
                     absl::StatusCode::kResourceExhausted);
}

}  // namespace joseki::coordinator
