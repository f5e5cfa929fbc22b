#pragma once

#include <string>

#include "cli/experiment/field_result.h"
#include "cli/experiment/report.h"

// Expected results of the field's books, judged by positions (cli/experiment/judging.h), beside
// their results.
namespace joseki::cli {

// Adds the table, and "judged" to the report's data; nothing if no game was judged.
void AddJudgedTable(const FieldResult& result, const std::string& row_name,
                    ExperimentReport& report);

}  // namespace joseki::cli
