#include "cli/experiment/field.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/trial.h"
#include "cli/experiment/field_books.h"
#include "cli/experiment/field_columns.h"
#include "cli/experiment/field_play.h"
#include "cli/experiment/field_result.h"
#include "cli/experiment/field_steps.h"
#include "cli/experiment/notes.h"

namespace joseki::cli {
namespace {

// Aims by column; "" holds the aim of all other columns.
absl::StatusOr<std::map<std::string, double>> AimsOf(const FieldArguments& arguments) {
  std::map<std::string, double> aims;
  for (const std::string& text : arguments.aims) {
    const size_t equals = text.rfind('=');
    const std::string column = equals == std::string::npos ? "" : text.substr(0, equals);
    const std::string value = equals == std::string::npos ? text : text.substr(equals + 1);
    double aim = 0;
    const bool known =
        column.empty() || std::find(arguments.columns.begin(), arguments.columns.end(), column) !=
                              arguments.columns.end();
    if (!known || !absl::SimpleAtod(value, &aim) || !(std::abs(aim) <= 1000)) {
      return MakeProblem({.code = "usage",
                          .file = "--aim",
                          .found = Quote(text),
                          .expected = "ELO or COLUMN=ELO of a column that is played, within 1000"});
    }
    aims[column] = aim;
  }
  return aims;
}

Json SettingsOf(const Laboratory& lab, const FieldArguments& arguments) {
  Json json;
  json["budget"] = arguments.budget;
  json["nodes"] = lab.arguments().nodes;
  json["pairs"] = lab.arguments().pairs;
  json["max_plies"] = lab.arguments().max_plies;
  json["plies"] = lab.arguments().plies;
  json["filter"] = lab.arguments().filter;
  json["seed"] = lab.arguments().seed;
  return json;
}

std::string HowOf(const std::string& method) {
  for (const FieldMethod& one : FieldMethods()) {
    if (one.name == method) return std::string(one.how);
  }
  return absl::StartsWith(method, "files:") ? "made elsewhere" : "the policy by its name";
}

// The mean time of a move in a column's matches, as words.
std::string TimeWords(const FieldResult& result, size_t column) {
  double ours = 0;
  double theirs = 0;
  size_t books = 0;
  for (const FieldRow& row : result.rows) {
    for (const std::vector<FieldCell>& cells : row.cells) {
      if (!cells[column].played()) continue;
      const Json& match = cells[column].data["result"];
      ours += match["a"]["ms_per_move"].get<double>();
      theirs += match["b"]["ms_per_move"].get<double>();
      ++books;
    }
  }
  const auto n = static_cast<double>(std::max<size_t>(1, books));
  return absl::StrFormat("%s: %s; in the matches themselves %.2f and %.2f ms.",
                         result.columns[column].name, result.columns[column].against, theirs / n,
                         ours / n);
}

void NoteField(const Laboratory& lab, const FieldResult& result, ExperimentReport& report) {
  report.data["settings"]["nodes_of_game"] =
      result.nodes_of_game > 0 ? Json(result.nodes_of_game) : Json();
  for (size_t column = 0; column < result.columns.size(); ++column) {
    if (result.columns[column].time) report.notes.push_back(TimeWords(result, column));
  }
  report.notes.push_back(absl::StrCat(
      "Engine: ", lab.arguments().engine, " at ", lab.arguments().nodes,
      " nodes a move, +- 20 %, on both sides, ten times as many in columns with 10. A tuned book "
      "plays its answers. Games come in pairs of one chance with colours exchanged, pairs with a "
      "game that was played before are set aside."));
  report.notes.push_back(
      "A method is judged by the interval over its books. A book's own interval takes the lines by "
      "which it left its book for a sample of lines (docs/reference/experiments.md): where few "
      "decide it is "
      "wide.");
  if (result.nodes_of_game > 0) {
    report.notes.push_back(absl::StrFormat(
        "A budget is counted in games' nodes: %d of a game in a run that searches along lines, %d "
        "moves; %.0f in priors and searched, as the input book plays itself. What a book really "
        "cost stands in its row, at the mean of its own games.",
        book::kGameMoves * lab.arguments().nodes, book::kGameMoves, result.nodes_of_game));
  }
}

absl::StatusOr<FieldRow> RowOf(const Laboratory& lab, const FieldArguments& arguments,
                               const std::string& method, uint64_t budget) {
  FieldRow row;
  row.name = method;
  row.how = HowOf(method);
  ASSIGN_OR_RETURN(row.books, BooksOf(lab, method, arguments.books, budget));
  row.cells.assign(row.books.size(), std::vector<FieldCell>(arguments.columns.size()));
  return row;
}

// Checks all arguments, so that no book is made before an error.
absl::Status CheckField(const Laboratory& lab, const FieldArguments& arguments) {
  RETURN_IF_ERROR(AimsOf(arguments).status());
  for (const std::string& column : arguments.columns) RETURN_IF_ERROR(CheckColumn(lab, column));
  return absl::OkStatus();
}

absl::Status PlayColumns(Laboratory& lab, const FieldArguments& arguments, FieldResult& result) {
  ASSIGN_OR_RETURN(const auto aims, AimsOf(arguments));
  for (const std::string& name : arguments.columns) {
    absl::StatusOr<FieldColumn> column = ColumnOf(lab, name, arguments.engine_ms);
    // Under --show, skip a column whose opponent is not made yet.
    if (lab.arguments().show && absl::IsCancelled(column.status())) continue;
    RETURN_IF_ERROR(column.status());
    result.columns.push_back(*std::move(column));
    const auto own = aims.find(name);
    const auto any = aims.find("");
    result.aims.push_back(own != aims.end()   ? std::optional(own->second)
                          : any != aims.end() ? std::optional(any->second)
                                              : std::nullopt);
  }
  result.judge_nodes = arguments.judge_nodes;
  result.slopes.resize(result.columns.size());
  const bool made_here = std::any_of(result.rows.begin(), result.rows.end(),
                                     [](const FieldRow& row) { return row.books[0].seed; });
  if (made_here) {
    const absl::StatusOr<double> nodes = NodesOfGame(lab);
    if (nodes.ok()) {
      result.nodes_of_game = *nodes;
    } else if (!lab.arguments().show || !absl::IsCancelled(nodes.status())) {
      return nodes.status();
    }
  }
  return PlayField(lab, result);
}

}  // namespace

absl::StatusOr<ExperimentReport> Field(Laboratory& lab, const FieldArguments& arguments) {
  RETURN_IF_ERROR(CheckField(lab, arguments));
  ExperimentReport report;
  report.name = "field";
  report.title = "tuned books against the same opponents";
  report.data["settings"] = SettingsOf(lab, arguments);
  FieldResult result;
  for (const std::string& method : arguments.methods) {
    ASSIGN_OR_RETURN(FieldRow row, RowOf(lab, arguments, method, arguments.budget));
    result.rows.push_back(std::move(row));
  }
  const absl::Status status = PlayColumns(lab, arguments, result);
  AddFieldTables(result, "method", report);
  AddFieldData(result, report);
  NoteField(lab, result, report);
  return Finish(lab, report, status);
}

absl::StatusOr<ExperimentReport> Curve(Laboratory& lab, const CurveArguments& arguments) {
  if (absl::StartsWith(arguments.method, "files:")) {
    return MakeProblem({.code = "usage",
                        .file = "--method",
                        .found = Quote(arguments.method),
                        .expected = "a method that has a budget; field takes files"});
  }
  RETURN_IF_ERROR(CheckField(lab, arguments.field));
  ExperimentReport report;
  report.name = "curve";
  report.title = absl::StrCat(arguments.method, ": gain against budget");
  report.data["settings"] = SettingsOf(lab, arguments.field);
  report.data["settings"]["method"] = arguments.method;
  report.data["settings"]["budgets"] = arguments.budgets;
  report.data["settings"].erase("budget");
  FieldResult result;
  for (const uint64_t budget : arguments.budgets) {
    ASSIGN_OR_RETURN(FieldRow row, RowOf(lab, arguments.field, arguments.method, budget));
    row.name = absl::StrCat(budget, " games");
    result.rows.push_back(std::move(row));
  }
  const absl::Status status = PlayColumns(lab, arguments.field, result);
  AddFieldTables(result, "budget", report);
  report.tables.insert(report.tables.begin() + 1, StepsOf(result, report.data["steps"]));
  AddFieldData(result, report);
  NoteField(lab, result, report);
  return Finish(lab, report, status);
}

}  // namespace joseki::cli
