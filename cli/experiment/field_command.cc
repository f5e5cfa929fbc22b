#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/experiment/experiment.h"
#include "cli/experiment/field.h"
#include "cli/experiment/field_books.h"
#include "cli/experiment/field_columns.h"
#include "proto/limits.h"

namespace joseki::cli {
namespace {

constexpr uint32_t kFieldPairs = 400;
constexpr uint64_t kMostBudget = 1'000'000'000;

std::string FieldFooter() {
  std::string text = "Methods (files:PATTERN: books made elsewhere; else a policy by its name):";
  for (const FieldMethod& method : FieldMethods()) {
    absl::StrAppend(&text, "\n  ", method.name, ": ", method.how);
  }
  absl::StrAppend(&text, "\nColumns:");
  for (const ColumnKind& kind : ColumnKinds()) {
    absl::StrAppend(&text, "\n  ", kind.name, ": ", kind.what);
  }
  return text;
}

// A name that occurs twice, which would stand for the same books; empty if none does.
std::string TwiceIn(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? "" : *twice;
}

void AddFieldOptions(CLI::App& command, ExperimentArguments& arguments, FieldArguments& field) {
  AddLaboratoryOptions(command, arguments);
  arguments.games = 0;
  arguments.pairs = kFieldPairs;
  command.footer(FieldFooter());
  command
      .add_option("--books", field.books,
                  absl::StrCat("of each method, each with a seed of its own (default ", kFieldBooks,
                               "; of files all); with more of them it goes on"))
      ->type_name("N")
      ->check(Within(1, 10'000));
  command
      .add_option("--pairs", arguments.pairs,
                  "pairs of games of each book in each column; with more of them it goes on")
      ->type_name("N")
      ->check(Within(uint32_t{1}, uint32_t{10'000'000}))
      ->capture_default_str();
  command.add_option("--column", field.columns, "opponents")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      .add_option("--engine", arguments.engine,
                  "the engine that tunes and plays all books, one of --engines or embedded")
      ->type_name("ID")
      ->capture_default_str();
  command
      .add_option(
          "--opponent", field.opponents,
          "an engine of --engines: a column engine:ID, without a book, at equal mean time a "
          "move")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->needs(command.get_option("--engines"));
  command
      .add_option(
          "--engine-ms", field.engine_ms,
          "milliseconds that a move takes both sides in these columns: their limits of nodes "
          "are measured")
      ->type_name("MS")
      ->check(Within(0.1, 600'000.0))
      ->capture_default_str();
  command
      .add_option("--judge", field.judge_nodes,
                  "also search positions of every game with so many nodes: what they let a book "
                  "expect varies less than results (0: not)")
      ->type_name("NODES")
      ->check(Within(uint64_t{0}, kMaxNodes))
      ->capture_default_str();
  command
      .add_option("--aim", field.aims,
                  "what was aimed at, stated beforehand, for the check and the power; below 20 it "
                  "is read as no inferiority")
      ->type_name("[COLUMN=]ELO")
      ->allow_extra_args(false);
}

void CheckTwice(const char* flag, const std::vector<std::string>& names) {
  if (const std::string twice = TwiceIn(names); !twice.empty()) {
    throw CLI::ValidationError(flag, twice + " comes twice");
  }
}

// Every opponent is a column.
void FinishArguments(const ExperimentArguments& arguments, FieldArguments& field) {
  if (arguments.engine != book::kEmbeddedEngine && arguments.engines.empty()) {
    throw CLI::ValidationError("--engine", arguments.engine + " needs --engines, which have it");
  }
  for (const std::string& id : field.opponents) field.columns.push_back("engine:" + id);
  CheckTwice("--column", field.columns);
}

bool IsUsage(const absl::Status& status) {
  return !status.ok() && ProblemOf(status).code == "usage";
}

template <typename Run>
void RunInLaboratory(const ExperimentArguments& arguments, Context& context, const Run& run) {
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const auto lab, Laboratory::Open(arguments, context));
    ASSIGN_OR_RETURN(const ExperimentReport report, run(*lab));
    PrintExperiment(report, arguments, context);
    return absl::OkStatus();
  };
  const absl::Status status = body();
  context.Finish(status, IsUsage(status) ? kBadUsage : kFailed);
}

}  // namespace

void AddField(CLI::App& group, Context& context) {
  struct Arguments {
    ExperimentArguments experiment;
    FieldArguments field;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->experiment.name = "field";
  CLI::App* const command = group.add_subcommand(
      "field", "Books of several methods of tuning, each book against the same opponents");
  AddFieldOptions(*command, arguments->experiment, arguments->field);
  command->add_option("--method", arguments->field.methods, "how books are made")
      ->required()
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--budget", arguments->field.budget,
                   "of each book in games; a search counts by its nodes")
      ->type_name("GAMES")
      ->check(Within(uint64_t{2}, kMostBudget))
      ->capture_default_str();
  command->callback([arguments, &context] {
    FinishArguments(arguments->experiment, arguments->field);
    CheckTwice("--method", arguments->field.methods);
    RunInLaboratory(arguments->experiment, context,
                    [&](Laboratory& lab) { return Field(lab, arguments->field); });
  });
}

void AddCurve(CLI::App& group, Context& context) {
  struct Arguments {
    ExperimentArguments experiment;
    CurveArguments curve;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->experiment.name = "curve";
  CLI::App* const command =
      group.add_subcommand("curve", "Books of one method at several budgets: what more of it buys");
  AddFieldOptions(*command, arguments->experiment, arguments->curve.field);
  command->add_option("--method", arguments->curve.method, "how books are made")
      ->required()
      ->type_name("NAME");
  command
      ->add_option("--budgets", arguments->curve.budgets,
                   "of each book in games; a search counts by its nodes")
      ->required()
      ->type_name("GAMES,...")
      ->delimiter(',')
      ->check(Within(uint64_t{2}, kMostBudget));
  command->callback([arguments, &context] {
    CurveArguments& curve = arguments->curve;
    FinishArguments(arguments->experiment, curve.field);
    std::sort(curve.budgets.begin(), curve.budgets.end());
    curve.budgets.erase(std::unique(curve.budgets.begin(), curve.budgets.end()),
                        curve.budgets.end());
    RunInLaboratory(arguments->experiment, context,
                    [&](Laboratory& lab) { return Curve(lab, curve); });
  });
}

}  // namespace joseki::cli
