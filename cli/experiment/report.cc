#include "cli/experiment/report.h"

#include <ostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "book/stats/interval.h"
#include "cli/match/report.h"

namespace joseki::cli {
namespace {

std::string RowText(const std::vector<std::string>& cells) {
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

}  // namespace

void PrintReport(const ExperimentReport& report, std::ostream& out) {
  out << report.name << ": " << report.title << "\n";
  for (const ExperimentTable& table : report.tables) {
    out << "\n" << table.title << "\n\n" << RowText(table.columns);
    out << RowText(std::vector<std::string>(table.columns.size(), "---"));
    for (const std::vector<std::string>& row : table.rows) out << RowText(row);
    if (!table.sentences.empty()) out << "\n";
    for (const std::string& sentence : table.sentences) out << sentence << "\n";
  }
  if (!report.notes.empty()) out << "\n";
  for (const std::string& note : report.notes) out << "- " << note << "\n";
  if (report.interrupted) {
    out << "\nInterrupted; everything is kept. The same command goes on.\n";
  }
}

Json ReportJson(const ExperimentReport& report) {
  Json json;
  json["experiment"] = report.name;
  json["title"] = report.title;
  json["interrupted"] = report.interrupted;
  json.update(report.data);
  json["tables"] = Json::array();
  for (const ExperimentTable& table : report.tables) {
    Json one;
    one["title"] = table.title;
    one["columns"] = table.columns;
    one["rows"] = table.rows;
    if (!table.sentences.empty()) one["sentences"] = table.sentences;
    json["tables"].push_back(std::move(one));
  }
  json["notes"] = report.notes;
  return json;
}

std::string ScoreCell(const std::optional<ThesisScore>& score) {
  if (!score) return "-";
  const book::Interval interval = book::Wilson(score->points, score->games);
  return absl::StrFormat("%.1f %% of %d [%.0f, %.0f]", 100 * score->points / score->games,
                         score->games, 100 * interval.low, 100 * interval.high);
}

std::string ScoreCell(const book::Pentanomial& pairs) {
  if (pairs.count() == 0) return "-";
  const book::Interval interval = book::ScoreInterval(pairs);
  return absl::StrFormat("%.1f %% of %d [%.1f, %.1f]", 100 * pairs.score(), 2 * pairs.count(),
                         100 * interval.low, 100 * interval.high);
}

std::string EloCell(const book::Pentanomial& pairs) {
  if (pairs.count() == 0) return "-";
  return EloRange(book::LogisticElo(pairs));
}

}  // namespace joseki::cli
