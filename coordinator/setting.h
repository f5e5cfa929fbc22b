#pragma once

#include <string>

#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/options.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A coordinator's constants, from its start to its end.
struct Setting {
  CoordinatorOptions options;
  const Rules& rules;
  const Clock& clock;
  const Clock& wall;  // for people and rows; it may be set
  std::string epoch;  // of the database
  absl::Time started;
};

}  // namespace joseki::coordinator
