#include "cli/experiment/experiment.h"

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/policy.h"
#include "book/weighing.h"
#include "cli/experiment/experiments.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"
#include "proto/limits.h"

namespace joseki::cli {
namespace {

absl::Status RunExperiment(const ExperimentArguments& arguments, const Experiment& experiment,
                           Context& context) {
  ASSIGN_OR_RETURN(const auto lab, Laboratory::Open(arguments, context));
  ASSIGN_OR_RETURN(const ExperimentReport report, experiment.run(*lab));
  PrintExperiment(report, arguments, context);
  return absl::OkStatus();
}

void AddThesisOptions(CLI::App& command, ExperimentArguments& arguments) {
  command
      .add_option("--games", arguments.games,
                  "of a stage in column 1; column j has j times as many")
      ->type_name("N")
      ->check(Within(uint64_t{1}, uint64_t{100'000'000}))
      ->capture_default_str();
  command
      .add_option("--columns", arguments.columns,
                  "of Type-6: column j has rand 512 j; E6 and E7 take 3 where it is among them, or "
                  "else the last")
      ->type_name("J,...")
      ->delimiter(',')
      ->check(Within(1, 5))
      ->capture_default_str();
  std::vector<std::string> policies;
  for (const std::string_view policy : book::PolicyNames()) policies.emplace_back(policy);
  policies.emplace_back("default");
  command
      .add_option("--policy", arguments.policies,
                  "policies beside the thesis's, each with the games of Type-6[5-1] from the "
                  "frequencies of Type-2")
      ->check(OneOf(policies))
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_flag("--priors", arguments.priors,
                   "the engine searches the book's positions too, with ten times the nodes of a "
                   "move, for policies that learn from evaluations");
  command
      .add_option("--pairs", arguments.pairs,
                  "pairs of games of each match; with more of them it goes on")
      ->type_name("N")
      ->check(Within(uint32_t{1}, kMaxPairs))
      ->capture_default_str();
  command
      .add_option("--opponent", arguments.opponent, "of E7: an engine of --engines, without book")
      ->type_name("ID")
      ->needs(command.get_option("--engines"));
}

}  // namespace

void AddLaboratoryOptions(CLI::App& command, ExperimentArguments& arguments) {
  command
      .add_option("--folder", arguments.folder,
                  "where its books, runs and games are kept; one that was broken off goes on "
                  "there, and further ones of the same settings build upon it")
      ->required()
      ->type_name("FOLDER");
  command
      .add_option("--source", arguments.sources,
                  "game records, books, or a table of counts that the base book is made of")
      ->type_name("FILE")
      ->check(CLI::ExistingPath);
  command.add_option("--plies", arguments.plies, "how many plies of a game become book moves")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command
      .add_option("--filter", arguments.filter,
                  "in positions seen more than POSITION times, moves played fewer than MOVE times "
                  "are left out")
      ->type_name("POSITION/MOVE")
      ->check([](const std::string& text) {
        const auto filter = book::ParseNoiseFilter(text);
        return filter.ok() ? std::string() : std::string(filter.status().message());
      })
      ->capture_default_str();
  command.add_option("--nodes", arguments.nodes, "nodes that the engine searches for each move")
      ->type_name("N")
      ->check(Within(uint64_t{1}, kMaxNodes))
      ->capture_default_str();
  command.add_option("--max-plies", arguments.max_plies, "a game of this many plies is a draw")
      ->type_name("M")
      ->check(Within(uint32_t{1}, kMaxGameMoves))
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "seed of every choice by chance")
      ->type_name("S")
      ->check(AnyWhole())
      ->capture_default_str();
  command
      .add_option("--concurrency", arguments.concurrency,
                  "games at once (default: the usable cores)")
      ->type_name("K")
      ->check(Within(1, 1024));
  command.add_flag("--show", arguments.show, "play nothing: what the games that are there say");
  command
      .add_option("--engines", arguments.engines,
                  "file with engines that are opponents (docs/reference/engines.md)")
      ->type_name("FILE");
}

void PrintExperiment(const ExperimentReport& report, const ExperimentArguments& arguments,
                     Context& context) {
  // Under --show a report lacks what was never played, and nothing broke it off.
  if (report.interrupted && !arguments.show) context.set_exit_status(kInterrupted);
  if (context.json()) {
    context.PrintJson(ReportJson(report));
  } else {
    PrintReport(report, context.out());
  }
}

void AddExperiment(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ExperimentArguments>();
  CLI::App* const group = app.add_subcommand(
      "experiment", "Repeats an experiment of the thesis, or measures methods of tuning");
  group->require_subcommand(1);
  AddField(*group, context);
  AddCurve(*group, context);
  for (const Experiment& experiment : Experiments()) {
    CLI::App* const command =
        group->add_subcommand(std::string(experiment.name), std::string(experiment.title));
    AddLaboratoryOptions(*command, *arguments);
    AddThesisOptions(*command, *arguments);
    command->callback([arguments, &experiment, &context] {
      arguments->name = experiment.name;
      if (arguments->name == "E7" && arguments->opponent.empty()) {
        throw CLI::RequiredError("--opponent");
      }
      std::vector<int>& columns = arguments->columns;
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      context.Finish(RunExperiment(*arguments, experiment, context));
    });
  }
}

}  // namespace joseki::cli
