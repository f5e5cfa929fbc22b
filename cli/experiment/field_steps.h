#pragma once

#include "cli/experiment/field_result.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// Of rows that are ascending budgets: what each step of the budget brought, and whether one fell by
// more than its error; the same in `data`. Pure.
ExperimentTable StepsOf(const FieldResult& result, Json& data);

}  // namespace joseki::cli
