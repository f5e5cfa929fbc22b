#include "cli/experiment/field_judged.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/experiment/judging.h"
#include "cli/match/report.h"

namespace joseki::cli {
namespace {

std::string BookCell(const book::ClusteredScore& judged) {
  if (judged.pairs() == 0) return "";
  const book::Measured elo = book::MeasuredElo(judged);
  if (judged.pairs() == 1) return absl::StrFormat("%+.1f +- ? (1 pair)", elo.value);
  const double student = book::StudentQuantile(0.975, static_cast<double>(judged.pairs() - 1));
  return absl::StrFormat("%+.1f +- %.1f (%d pairs)", elo.value, student * std::sqrt(elo.variance),
                         judged.pairs());
}

Json SlopeJson(const FieldColumn& column, const book::CalibrationFit& fit) {
  Json json;
  json["column"] = column.name;
  json["games"] = fit.games;
  json["lines"] = fit.groups;
  json["slope"] = fit.slope;
  json["slope_low"] = FiniteJson(fit.low);
  json["slope_high"] = FiniteJson(fit.high);
  return json;
}

}  // namespace

void AddJudgedTable(const FieldResult& result, const std::string& row_name,
                    ExperimentReport& report) {
  Json data;
  data["nodes"] = result.judge_nodes;
  data["plies"] = kJudgedPlies;
  data["results"] = Json::array();
  data["slopes"] = Json::array();
  ExperimentTable table{
      absl::StrFormat("By positions: the Elo that searches of %d nodes at plies %d to %d expect, "
                      "over books as above, and of each book with its 95 %% interval over pairs",
                      result.judge_nodes, kJudgedPlies.front(), kJudgedPlies.back()),
      {row_name},
      {}};
  for (const FieldColumn& column : result.columns) table.columns.push_back(column.name);
  for (const FieldRow& row : result.rows) {
    std::vector<std::string> cells = {row.name};
    for (size_t column = 0; column < result.columns.size(); ++column) {
      const book::OverBooks over = OverBooksOf(row, column, &FieldCell::judged);
      cells.push_back(OverBooksCell(over));
      if (over.books > 0) {
        data["results"].push_back(OverBooksJson(row, result.columns[column], over));
      }
    }
    table.rows.push_back(std::move(cells));
    for (size_t i = 0; i < row.books.size(); ++i) {
      std::vector<std::string>& one = table.rows.emplace_back();
      one.push_back(row.books[i].label);
      for (const FieldCell& cell : row.cells[i]) one.push_back(BookCell(cell.judged));
    }
  }
  if (data["results"].empty()) return;
  for (size_t column = 0; column < result.columns.size(); ++column) {
    const book::CalibrationFit fit = result.slopes[column].Fit();
    if (fit.games == 0) continue;
    data["slopes"].push_back(SlopeJson(result.columns[column], fit));
    table.sentences.push_back(absl::StrFormat(
        "%s: where positions expect a point more, results are %.2f [%.2f, %.2f] points better, by "
        "%d games of %d lines.",
        result.columns[column].name, fit.slope, fit.low, fit.high, fit.games, fit.groups));
  }
  report.data["judged"] = std::move(data);
  report.tables.push_back(std::move(table));
}

}  // namespace joseki::cli
