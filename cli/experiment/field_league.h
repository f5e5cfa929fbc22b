#pragma once

#include "cli/experiment/field_result.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// The rows' books against each other, a table and what it shows, and "league" in numbers. Nothing
// without a league or for one row; a cell where each book has played each of the other row. Pure.
void AddLeagueTable(const FieldResult& result, ExperimentReport& report);

}  // namespace joseki::cli
