#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/hash.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/run/opponent_options.h"
#include "cli/run/run_text.h"
#include "cli/run/search_notice.h"
#include "cli/run/spec_options.h"
#include "cli/run/spending.h"
#include "cli/words/run_phrases.h"
#include "cli/words/words.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/spec_fields.h"
#include "coordinator/page/json.h"
#include "proto/limits.h"

namespace joseki::cli {
namespace {

// A unique id of this call, so that a retry by gRPC after a lost reply does not make a second run.
std::string FreshRequestId() {
  return Hex(Sha256Of(absl::StrCat(getpid(), ".", absl::ToUnixNanos(absl::Now())))).substr(0, 32);
}

absl::Status Create(Cluster& cluster, const SpecArguments& arguments,
                    const coordinator::RunSpec& spec, const std::string& opponent_book,
                    Context& context) {
  if (!opponent_book.empty()) RETURN_IF_ERROR(cluster.PutBook(opponent_book).status());
  ASSIGN_OR_RETURN(const Cluster::CreatedRun run, cluster.CreateRun(spec, FreshRequestId()));
  context.err() << SearchNotice(arguments, spec, run.positions, context.voice());
  if (context.json()) {
    Json object;
    object["run"] = run.run;
    object["positions"] = run.positions;
    object["moves"] = run.moves;
    context.PrintJson(object);
  } else {
    const Voice& voice = context.voice();
    context.out() << voice.Say(phrase::kRunTunes, run.run, run.moves, run.positions);
    if (spec.games == 0 && spec.seconds == 0) {
      context.out() << voice.Say(phrase::kRunEndless, run.run);
    }
  }
  return absl::OkStatus();
}

absl::Status List(const Connection& connection, RunId only, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(only));
  if (context.json()) {
    Json runs = Json::array();
    for (const coordinator::RunStatus& run : status.runs)
      runs.push_back(coordinator::RunJson(run, status));
    Json object;
    object["runs"] = std::move(runs);
    context.PrintJson(object);
    return absl::OkStatus();
  }
  if (status.runs.empty()) context.out() << context.voice().Say(phrase::kNoRuns);
  for (const coordinator::RunStatus& run : status.runs) {
    context.out() << RunLine(run, context.voice()) << "\n";
    if (const std::string trouble = NotServedWords(run, context.voice()); !trouble.empty()) {
      context.out() << "    " << trouble << "\n";
    }
  }
  return absl::OkStatus();
}

absl::Status Show(const Connection& connection, RunId number, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(number));
  const coordinator::RunStatus& run = status.runs.at(0);
  if (context.json()) {
    Json object = coordinator::RunJson(run, status);
    object["spec"] = Json::parse(coordinator::SpecToJson(run.spec));
    Json lines = Json::array();
    for (const coordinator::PoisonedLine& poisoned : run.poisoned) {
      Json moves = Json::array();
      for (const Move move : poisoned.line) moves.push_back(context.rules().Text(move));
      Json line;
      line["line"] = std::move(moves);
      line["attempts"] = poisoned.attempts;
      line["reason"] = poisoned.reason;
      line["workers"] = FailedWith(poisoned);
      lines.push_back(std::move(line));
    }
    object["poisoned"] = std::move(lines);
    Json resting = Json::array();
    for (const coordinator::RestingLine& from : run.resting) {
      Json moves = Json::array();
      for (const Move move : from.line) moves.push_back(context.rules().Text(move));
      Json line;
      line["line"] = std::move(moves);
      line["draws"] = from.draws;
      resting.push_back(std::move(line));
    }
    object["resting"] = std::move(resting);
    context.PrintJson(object);
    return absl::OkStatus();
  }
  PrintRun(run, context.rules(), context.voice(), context.out());
  return absl::OkStatus();
}

absl::Status Spending(const Connection& connection, RunId run, uint32_t most, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const coordinator::SpendingReport report, cluster->GetSpending(run, most));
  if (context.json()) {
    context.PrintJson(SpendingJson(report, context.rules()));
  } else {
    ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(run));
    PrintSpending(report, status.runs.empty() ? "startpos" : status.runs[0].spec.start,
                  context.rules(), context.voice(), context.out());
  }
  return absl::OkStatus();
}

absl::Status Change(const Connection& connection, RunId run, Cluster::Change change,
                    Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const std::string state, cluster->ChangeRun(run, change));
  if (context.json()) {
    Json object;
    object["run"] = run;
    object["state"] = state;
    context.PrintJson(object);
  } else {
    const Voice& voice = context.voice();
    context.out() << voice.Say(phrase::kRunIs, run, WordText(voice, state));
  }
  return absl::OkStatus();
}

absl::Status Extend(const Connection& connection, RunId run, uint64_t games, double hours,
                    Context& context) {
  const coordinator::MoreToPlay more{.games = games,
                                     .seconds = SecondsOf(hours),
                                     .same_book = false,
                                     .request_id = FreshRequestId()};
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const coordinator::ExtendedRun extended, cluster->ExtendRun(run, more));
  const coordinator::RunSpec& spec = extended.spec;
  if (context.json()) {
    Json object;
    object["run"] = run;
    object["state"] = extended.state;
    object["games_target"] = spec.games;
    object["seconds_target"] = spec.seconds;
    object["regardless"] = spec.extension->regardless;
    context.PrintJson(object);
  } else {
    const Voice& voice = context.voice();
    context.out() << voice.Say(phrase::kRunIsWith, run, WordText(voice, extended.state),
                               BudgetWords(spec, voice), RegardlessWords(spec, voice));
  }
  return absl::OkStatus();
}

absl::Status SetPriority(const Connection& connection, RunId run, uint32_t priority,
                         uint32_t weight, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const coordinator::Share share, cluster->SetPriority(run, priority, weight));
  if (context.json()) {
    Json object;
    object["run"] = run;
    object["priority"] = share.priority;
    object["share"] = share.weight;
    context.PrintJson(object);
  } else {
    context.out() << context.voice().Say(phrase::kRunPriority, run, share.priority, share.weight);
  }
  return absl::OkStatus();
}

absl::Status Free(const Connection& connection, RunId run, const std::string& line,
                  Context& context) {
  const std::optional<std::string> one = line.empty() ? std::nullopt : std::optional(line);
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, connection));
  ASSIGN_OR_RETURN(const uint32_t lines, cluster->FreeLines(run, one));
  if (context.json()) {
    Json object;
    object["run"] = run;
    object["lines"] = lines;
    context.PrintJson(object);
  } else {
    context.out() << (lines == 1 ? context.voice().Say(phrase::kLineFreed, run)
                                 : context.voice().Say(phrase::kLinesFreed, run, lines));
  }
  return absl::OkStatus();
}

struct RunArguments {
  Connection connection;
  SpecArguments spec;
  OpponentArguments opponent;
  RunId run = 0;
  uint64_t games = 0;  // `games` and `hours` of an extension
  double hours = 0;
  uint32_t most = 20;
  uint32_t priority = 0;
  uint32_t weight = 0;
  std::string line;
};

}  // namespace

void AddRun(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* const group = app.add_subcommand("run", "Tuning jobs of a running coordinator");
  group->require_subcommand(1);
  AddCoordinatorOption(*group, arguments->connection);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* const command = group->add_subcommand(name, what);
    command->fallthrough();
    return command;
  };
  const auto number = [&](CLI::App* command) {
    command->add_option("run", arguments->run, "the run's number")
        ->required()
        ->type_name("R")
        ->check(IsRunNumber());
  };

  CLI::App* const create = add("create", "Freezes the book as it is now and starts tuning it");
  AddSpecOptions(*create, arguments->spec);
  AddShareOptions(*create, arguments->spec);
  AddOpponentOptions(*create, arguments->opponent);
  create->add_flag("--take-over", arguments->spec.run.take_over,
                   "begin with what runs that are over know, of the same engine, limits and start");
  create->callback([arguments, &context] {
    // Reach first: the run is of the coordinator's game.
    const auto cluster = Reach(context, arguments->connection);
    if (!cluster.ok()) return context.Finish(cluster.status());
    absl::StatusOr<coordinator::RunSpec> spec = SpecOf(arguments->spec, context.rules());
    if (!spec.ok()) return context.Finish(spec.status(), kBadUsage);
    const absl::StatusOr<std::string> book =
        SetOpponent(arguments->opponent, arguments->spec, context.rules(), *spec);
    if (!book.ok()) return context.Finish(book.status(), kBadUsage);
    context.Finish(Create(**cluster, arguments->spec, *spec, *book, context));
  });
  CLI::App* const list = add("list", "All runs, one line each");
  list->callback(
      [arguments, &context] { context.Finish(List(arguments->connection, 0, context)); });
  CLI::App* const show = add("show", "One run: what it is and how far");
  number(show);
  show->callback([arguments, &context] {
    context.Finish(Show(arguments->connection, arguments->run, context));
  });
  CLI::App* const spending = add(
      "spending", "Where a run's games go: positions by games of late, and what is left to find");
  number(spending);
  spending->add_option("--most", arguments->most, "positions to list")
      ->type_name("N")
      ->check(Within(1, 10'000))
      ->capture_default_str();
  spending->callback([arguments, &context] {
    context.Finish(Spending(arguments->connection, arguments->run, arguments->most, context));
  });
  const auto change = [&](const char* name, const char* what, Cluster::Change kind) {
    CLI::App* const command = add(name, what);
    number(command);
    command->callback([arguments, kind, &context] {
      context.Finish(Change(arguments->connection, arguments->run, kind, context));
    });
  };
  CLI::App* const priority = add("priority", "Gives a run another share of the workers");
  number(priority);
  priority->add_option("priority", arguments->priority, coordinator::kPriorityHelp)
      ->required()
      ->type_name("P")
      ->check(Within(uint32_t{0}, kMaxPriority));
  priority->add_option("--weight", arguments->weight, coordinator::kWeightHelp)
      ->type_name("W")
      ->check(Within(uint32_t{1}, kMaxWeight));
  priority->callback([arguments, &context] {
    context.Finish(SetPriority(arguments->connection, arguments->run, arguments->priority,
                               arguments->weight, context));
  });
  CLI::App* const extend = add("extend", "Gives a run more to play; one that is done goes on");
  number(extend);
  extend->add_option("--games", arguments->games, "games more")
      ->type_name("N")
      ->check(Within(uint64_t{1}, kMaxRunGames));
  extend->add_option("--hours", arguments->hours, "hours of play more")
      ->type_name("H")
      ->check(Within(0.0, 100'000.0));
  extend->callback([arguments, &context] {
    if (arguments->games == 0 && arguments->hours == 0) {
      throw CLI::RequiredError("--games or --hours");
    }
    context.Finish(
        Extend(arguments->connection, arguments->run, arguments->games, arguments->hours, context));
  });
  CLI::App* const free =
      add("free", "Gives out lines again that were left out because they failed");
  number(free);
  free->add_option("--line", arguments->line,
                   "one of them, its moves as `joseki run show` says them; without it all")
      ->type_name("MOVES");
  free->callback([arguments, &context] {
    context.Finish(Free(arguments->connection, arguments->run, arguments->line, context));
  });
  change("pause", "No new games until it is resumed", Cluster::Change::kPause);
  change("resume", "Goes on with a paused run", Cluster::Change::kResume);
  change("stop", "Ends a run for good; what was played stays", Cluster::Change::kStop);
}

}  // namespace joseki::cli
