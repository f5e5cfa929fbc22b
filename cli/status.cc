#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>

#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "cli/commands.h"
#include "cli/online.h"
#include "cli/progress.h"
#include "cli/rpc.h"

namespace joseki::cli {
namespace {

struct Arguments {
  Connection connection;
  RunId run = 0;
  bool watch = false;
  double interval = 1;
};

Json StatusJson(const coordinator::ClusterStatus& status) {
  Json runs = Json::array();
  for (const coordinator::RunStatus& run : status.runs) runs.push_back(RunJson(run, status));
  Json object;
  object["runs"] = std::move(runs);
  object["epoch"] = status.epoch;
  object["uptime_seconds"] = absl::ToDoubleSeconds(status.uptime);
  object["commit_ms"] = status.commit_ms;
  object["queued_games"] = status.queued_games;
  return object;
}

void Print(const coordinator::ClusterStatus& status, Context& context) {
  if (context.json()) return context.PrintJson(StatusJson(status));
  std::ostream& out = context.out();
  int active = 0;
  uint32_t slots = 0;
  for (const coordinator::WorkerStatus& worker : status.workers) {
    if (worker.state != "active") continue;
    ++active;
    slots += worker.slots;
  }
  out << absl::StreamFormat(
      "coordinator up %s; %d workers with %d slots; %d games wait for the disk, last commit %.1f ms"
      "\n",
      Words(status.uptime), active, slots, status.queued_games, status.commit_ms);
  for (const coordinator::RunStatus& run : status.runs) {
    out << RunLine(run) << "\n"
        << absl::StreamFormat("    %d games in play, %d draws, %d faults, %d conflicts\n",
                              run.slots_in_flight, run.draws, run.faults, run.conflicts);
  }
  out << std::flush;
}

bool IsOver(const coordinator::ClusterStatus& status) {
  const std::string& state = status.runs.at(0).state;
  return state == "done" || state == "stopped" || state == "failed";
}

absl::Status RunStatusCommand(const Arguments& arguments, Context& context) {
  const std::unique_ptr<Cluster> cluster = Cluster::At(arguments.connection, context.rules());
  if (!arguments.watch) {
    ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(arguments.run));
    Print(status, context);
    return absl::OkStatus();
  }
  const bool clear = !context.json() && isatty(STDOUT_FILENO) != 0;
  return cluster->WatchStatus(arguments.run, absl::Seconds(arguments.interval),
                              [&](const coordinator::ClusterStatus& status) {
                                if (clear) context.out() << "\x1b[H\x1b[2J";
                                Print(status, context);
                                return arguments.run == 0 || !IsOver(status);
                              });
}

absl::Status Workers(const Connection& connection, Context& context) {
  ASSIGN_OR_RETURN(const coordinator::ClusterStatus status,
                   Cluster::At(connection, context.rules())->GetStatus(0));
  if (context.json()) {
    Json workers = Json::array();
    for (const coordinator::WorkerStatus& worker : status.workers) {
      Json json;
      json["worker"] = worker.worker;
      json["state"] = worker.state;
      json["session"] = worker.session;
      json["slots"] = worker.slots;
      json["in_flight"] = worker.in_flight;
      json["games"] = worker.games;
      json["faults"] = worker.faults;
      json["last_seen_seconds"] = absl::ToDoubleSeconds(worker.last_seen);
      json["build"] = worker.build;
      workers.push_back(std::move(json));
    }
    Json object;
    object["workers"] = std::move(workers);
    context.PrintJson(object);
    return absl::OkStatus();
  }
  if (status.workers.empty()) context.out() << "no workers\n";
  for (const coordinator::WorkerStatus& worker : status.workers) {
    context.out() << absl::StreamFormat(
        "%-24s %-9s %4d slots, %4d in play, %d games, %d faults, seen %s ago, %s\n", worker.worker,
        worker.state, worker.slots, worker.in_flight, worker.games, worker.faults,
        Words(worker.last_seen), worker.build);
  }
  return absl::OkStatus();
}

absl::Status Drain(const Connection& connection, const std::string& worker, Context& context) {
  ASSIGN_OR_RETURN(const uint32_t told, Cluster::At(connection, context.rules())->Drain(worker));
  if (context.json()) {
    Json object;
    object["workers"] = told;
    context.PrintJson(object);
  } else {
    context.out() << told << " workers finish their games and leave\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddStatus(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* const command = app.add_subcommand("status", "How far a coordinator's runs are");
  AddCoordinatorOption(*command, arguments->connection);
  command->add_option("--run", arguments->run, "this run only")->type_name("R");
  command->add_flag("--watch", arguments->watch,
                    "again and again; with --run until that run is over");
  command->add_option("--interval", arguments->interval, "seconds between two looks")
      ->check(CLI::Range(0.2, 60.0))
      ->capture_default_str();
  command->callback(
      [arguments, &context] { context.Finish(RunStatusCommand(*arguments, context)); });
}

void AddWorkers(CLI::App& app, Context& context) {
  struct WorkersArguments {
    Connection connection;
    std::string worker;
    bool all = false;
  };
  auto arguments = std::make_shared<WorkersArguments>();
  CLI::App* const command = app.add_subcommand("workers", "A coordinator's workers");
  AddCoordinatorOption(*command, arguments->connection);
  CLI::App* const drain =
      command->add_subcommand("drain", "Lets workers finish their games and leave");
  drain->fallthrough();
  CLI::Option* const one = drain->add_option("worker", arguments->worker, "name of one worker");
  CLI::Option* const all = drain->add_flag("--all", arguments->all, "all of them");
  one->excludes(all);
  drain->callback([arguments] {
    if (arguments->worker.empty() && !arguments->all) {
      throw CLI::RequiredError("the name of a worker, or --all,");
    }
  });
  command->callback([arguments, drain, &context] {
    context.Finish(drain->parsed() ? Drain(arguments->connection, arguments->worker, context)
                                   : Workers(arguments->connection, context));
  });
}

}  // namespace joseki::cli
