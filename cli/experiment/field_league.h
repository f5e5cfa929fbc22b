#pragma once

#include "cli/experiment/field_result.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// Adds the league to the report: a table of the rows' books against each other's and against the
// others', its sentences, and "league" in numbers. Adds nothing without a league or where all of it
// is one row. A cell is empty unless each book has played each of the other row. Pure.
void AddLeagueTable(const FieldResult& result, ExperimentReport& report);

}  // namespace joseki::cli
