#include "cli/experiment/field_league.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "book/stats/over_books.h"
#include "cli/match/report.h"

namespace joseki::cli {
namespace {

size_t RowsOf(const FieldResult& result) { return result.rows.size() + result.others.size(); }

const FieldRow& RowAt(const FieldResult& result, size_t row) {
  return row < result.rows.size() ? result.rows[row] : result.others[row - result.rows.size()];
}

// The league score of a row's books against another row's; nullopt unless every match was played.
std::optional<book::Estimate> LeagueScore(const FieldResult& result, size_t row, size_t other) {
  const size_t books = RowAt(result, row).books.size();
  const size_t others = RowAt(result, other).books.size();
  constexpr double kNone = -1;
  std::vector<std::vector<double>> table(books, std::vector<double>(others, kNone));
  for (const LeagueMatch& match : result.league) {
    if (match.row == row && match.other_row == other) {
      table[match.book][match.other_book] = match.score;
    } else if (match.row == other && match.other_row == row) {
      table[match.other_book][match.book] = 1 - match.score;
    }
  }
  for (const std::vector<double>& scores : table) {
    if (std::count(scores.begin(), scores.end(), kNone) > 0) return std::nullopt;
  }
  return book::CrossedMean(table);
}

std::string ScoreRange(const book::Estimate& score) {
  const auto text = [](double value) {
    return std::isfinite(value) ? absl::StrFormat("%.1f", 100 * std::clamp(value, 0.0, 1.0)) : "?";
  };
  return absl::StrCat(text(score.value), " % [", text(score.low), ", ", text(score.high), "]");
}

}  // namespace

void AddLeagueTable(const FieldResult& result, ExperimentReport& report) {
  if (result.league.empty() || RowsOf(result) < 2) return;
  ExperimentTable table{
      "League: score of the row's books against the column's, 95 % interval over "
      "the books of both",
      {""},
      {}};
  report.data["league"] = Json::array();
  for (size_t j = 0; j < RowsOf(result); ++j) table.columns.push_back(RowAt(result, j).name);
  for (size_t i = 0; i < result.rows.size(); ++i) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(result.rows[i].name);
    for (size_t j = 0; j < RowsOf(result); ++j) {
      const auto score = i == j ? std::nullopt : LeagueScore(result, i, j);
      cells.push_back(score ? ScoreRange(*score) : "");
      if (!score) continue;
      Json json;
      json["method"] = result.rows[i].name;
      json["against"] = RowAt(result, j).name;
      json["score"] = score->value;
      json["score_low"] = FiniteJson(score->low);
      json["score_high"] = FiniteJson(score->high);
      report.data["league"].push_back(std::move(json));
      if (i > j) continue;
      const bool ahead = score->low > 0.5;
      const bool behind = score->high < 0.5;
      table.sentences.push_back(absl::StrCat(result.rows[i].name, " against ",
                                             RowAt(result, j).name,
                                             " in the league: ", ScoreRange(*score),
                                             ahead    ? ": ahead."
                                             : behind ? ": BEHIND."
                                                      : ": the interval holds one half."));
    }
  }
  report.tables.push_back(std::move(table));
}

}  // namespace joseki::cli
