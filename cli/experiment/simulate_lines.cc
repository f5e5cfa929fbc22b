#include "book/simulation/simulate_lines.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/simulation/line_settings.h"
#include "cli/commands.h"
#include "cli/experiment/error_text.h"
#include "cli/match/report.h"
#include "cli/run/policy_arguments.h"

namespace joseki::cli {
namespace {

struct Arguments {
  std::vector<uint64_t> budgets = {1'000, 5'000, 20'000};
  std::vector<std::string> settings;
  uint32_t books = 8;
  uint64_t seed = 1;
  uint32_t threads = 0;
  bool show = false;
};

std::string Text(const book::Mean& mean) {
  return absl::StrFormat("%+.0f ± %s", mean.mean, ErrorText(mean, 0));
}

Json JsonOf(const book::Mean& mean) {
  return {{"mean", mean.mean}, {"se", FiniteJson(mean.standard_error)}};
}

Json JsonOf(const book::LineBooks& books) {
  return {{"budget", books.budget},
          {"input", JsonOf(books.input)},
          {"equal", JsonOf(books.equal)},
          {"bookless", JsonOf(books.bookless)},
          {"input10", JsonOf(books.patient_input)},
          {"lines", books.lines.mean},
          {"answers", books.answers.mean},
          {"own_moves", books.own_moves.mean},
          {"own_moves10", books.patient_own_moves.mean}};
}

Json SettingsJson(const book::LineSimulation& simulation) {
  Json json = Json::object();
  for (const book::LineSetting& setting : book::LineSettings()) {
    json[std::string(setting.name)] = setting.Of(simulation);
  }
  return json;
}

void Print(const std::vector<book::LineBooks>& rows, uint32_t books, Context& context) {
  context.out() << "Elo ± standard error over " << books
                << " books; input10: both sides with ten times the nodes\n"
                << absl::StreamFormat("%10s  %12s  %12s  %12s  %12s  %9s  %9s\n", "budget", "input",
                                      "equal", "bookless", "input10", "lines", "answers");
  for (const book::LineBooks& row : rows) {
    context.out() << absl::StreamFormat("%10d  %12s  %12s  %12s  %12s  %9.0f  %9.0f\n", row.budget,
                                        Text(row.input), Text(row.equal), Text(row.bookless),
                                        Text(row.patient_input), row.lines.mean, row.answers.mean);
  }
}

absl::Status Run(const Arguments& arguments, Context& context) {
  if (!std::is_sorted(arguments.budgets.begin(), arguments.budgets.end())) {
    return MakeProblem({.code = "usage",
                        .file = "--games",
                        .found = "a smaller number after a larger one",
                        .expected = "ascending numbers"});
  }
  book::LineSimulation simulation;
  simulation.budgets = arguments.budgets;
  simulation.rules.PlanFor(arguments.budgets.back());
  ASSIGN_OR_RETURN(const auto settings, PairsOf(arguments.settings, "--set"));
  for (const auto& [name, value] : settings) {
    RETURN_IF_ERROR(book::ChangeSetting(name, value, simulation));
  }
  Json object;
  object["settings"] = SettingsJson(simulation);
  if (arguments.show) {
    if (context.json()) {
      context.PrintJson(object);
      return absl::OkStatus();
    }
    for (const auto& [name, value] : object["settings"].items()) {
      context.out() << absl::StreamFormat("%-18s %g\n", name, value.get<double>());
    }
    return absl::OkStatus();
  }
  const uint32_t threads =
      arguments.threads > 0 ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  ASSIGN_OR_RETURN(const std::vector<book::LineBooks> rows,
                   book::SimulateLineBooks(simulation, arguments.seed, arguments.books, threads));
  if (!context.json()) {
    Print(rows, arguments.books, context);
    return absl::OkStatus();
  }
  object["books"] = arguments.books;
  object["seed"] = arguments.seed;
  object["checkpoints"] = Json::array();
  for (const book::LineBooks& row : rows) object["checkpoints"].push_back(JsonOf(row));
  context.PrintJson(object);
  return absl::OkStatus();
}

}  // namespace

void AddSimulateLines(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "simulate-lines",
      "Tunes books by searches along lines, in synthetic games with known values");
  command->add_option("--games", arguments->budgets, "budgets, in games; a search pays its nodes")
      ->type_name("N[,N...]")
      ->delimiter(',')
      ->check(Within(uint64_t{1}, uint64_t{10'000'000}))
      ->capture_default_str();
  command->add_option("--set", arguments->settings, "a number of the games or of the run's rules")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--list", arguments->show, "prints all of these numbers, and does no more");
  command->add_option("--books", arguments->books, "books, each of a game of its own")
      ->type_name("K")
      ->check(Within(1, 100'000))
      ->capture_default_str();
  command
      ->add_option("--seed", arguments->seed, "seed of the first book; the next has the next one")
      ->type_name("S")
      ->check(AnyWhole())
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "threads; 0: one a core")
      ->type_name("N")
      ->check(Within(0, 1024))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(Run(*arguments, context)); });
}

}  // namespace joseki::cli
