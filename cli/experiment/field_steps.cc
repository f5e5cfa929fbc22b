#include "cli/experiment/field_steps.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "book/stats/over_books.h"
#include "cli/match/report.h"

namespace joseki::cli {

ExperimentTable StepsOf(const FieldResult& result, Json& data) {
  data = Json::array();
  ExperimentTable table{
      "Steps: Elo at the larger budget less that at the smaller one, 95 % interval (B. L. Welch)",
      {"step"},
      {}};
  for (const FieldColumn& column : result.columns) table.columns.push_back(column.name);
  std::vector<std::string> fallen;
  for (size_t i = 0; i + 1 < result.rows.size(); ++i) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(absl::StrCat(result.rows[i].name, " to ", result.rows[i + 1].name));
    for (size_t column = 0; column < result.columns.size(); ++column) {
      const book::OverBooks before = OverBooksOf(result.rows[i], column);
      const book::OverBooks after = OverBooksOf(result.rows[i + 1], column);
      if (before.books == 0 || after.books == 0) {
        cells.emplace_back();
        continue;
      }
      const book::Estimate step = book::DifferenceOf(after, before);
      cells.push_back(EloRange(step));
      Json json;
      json["from"] = result.rows[i].name;
      json["to"] = result.rows[i + 1].name;
      json["column"] = result.columns[column].name;
      json["elo"] = step.value;
      json["elo_low"] = std::isfinite(step.low) ? Json(step.low) : Json();
      json["elo_high"] = std::isfinite(step.high) ? Json(step.high) : Json();
      data.push_back(std::move(json));
      if (step.high < 0) {
        fallen.push_back(absl::StrCat(cells.front(), " against ", result.columns[column].name));
      }
    }
  }
  table.sentences.push_back(
      fallen.empty()
          ? "No step falls by more than its error."
          : absl::StrCat("FALLS by more than its error: ", absl::StrJoin(fallen, "; "), "."));
  return table;
}

}  // namespace joseki::cli
