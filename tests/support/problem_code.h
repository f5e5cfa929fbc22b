#pragma once

#include <string>

#include "absl/status/status.h"
#include "base/problem.h"

namespace joseki::testing {

// The code of the problem in `status`; "ok" if there is none.
inline std::string CodeOf(const absl::Status& status) {
  return status.ok() ? "ok" : ProblemOf(status).code;
}

}  // namespace joseki::testing
