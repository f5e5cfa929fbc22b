#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// Reason why a worker's game or search is rejected, in the form that the worker gets.
inline absl::Status Reject(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)});
}

// An ending in words: "resignation first_wins".
inline std::string Words(const Ending& ending) {
  return absl::StrCat(std::string(Name(ending.termination)), " ", std::string(Name(ending.result)));
}

}  // namespace joseki::coordinator
