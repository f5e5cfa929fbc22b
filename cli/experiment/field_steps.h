#pragma once

#include "cli/experiment/field_result.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// For rows of ascending budgets: the gain of each step, and whether one is negative beyond its
// error. Adds the figures to `data`. Pure.
ExperimentTable StepsOf(const FieldResult& result, Json& data);

}  // namespace joseki::cli
