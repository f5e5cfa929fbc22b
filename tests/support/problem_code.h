#pragma once

#include <string>

#include "absl/status/status.h"
#include "base/problem.h"

namespace joseki::testing {

// "ok", or the code of the problem that `status` holds.
inline std::string CodeOf(const absl::Status& status) {
  return status.ok() ? "ok" : ProblemOf(status).code;
}

}  // namespace joseki::testing
