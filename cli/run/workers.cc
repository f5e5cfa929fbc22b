#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/words/words.h"
#include "coordinator/page/json.h"

namespace joseki::cli {
namespace {

struct WorkersArguments {
  Connection connection;
  std::string worker;
  std::string reason;
  bool unseen = false;
  bool all = false;
  bool keep_games_out = false;
};

void Print(const coordinator::WorkerStatus& worker, std::ostream& out) {
  out << absl::StreamFormat(
      "%-24s %-11s %4d slots, %4d in play, %d games, %d faults, seen %s ago, %s\n", worker.worker,
      worker.state, worker.seats, worker.in_flight, worker.games, worker.faults,
      DurationText(Voice(), worker.last_seen), worker.build);
  for (const auto& [name, value] : worker.labels) out << "    " << name << "=" << value << "\n";
  if (worker.cost.processor_ms > 0) {
    out << absl::StreamFormat("    %s of processor time, %.1f %% of it in searches\n",
                              DurationText(Voice(), absl::Milliseconds(worker.cost.processor_ms)),
                              100 * coordinator::SearchShare(worker.cost));
  }
  if (!worker.reason.empty()) out << "    " << worker.reason << "\n";
  const coordinator::WorkerResiduals& residuals = worker.residuals;
  if (residuals.games == 0) return;
  // All three are 0 before the first game on a move that others have played often enough.
  const bool compared = residuals.score != 0 || residuals.expected != 0 || residuals.z != 0;
  out << absl::StreamFormat(
      "    %d games verified, %d wrong; %s; %.0f plies a game, %.0f nodes/s; %d lost on time, %d "
      "conflicts\n",
      worker.copies, worker.mismatches,
      compared ? absl::StrFormat("score %.3f, %.3f expected (z %.1f, p %.2g)", residuals.score,
                                 residuals.expected, residuals.z, residuals.p)
               : "no result that could be compared",
      residuals.mean_plies, residuals.nodes_per_second, residuals.time_losses, residuals.conflicts);
}

absl::Status List(const WorkersArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(0));
  if (context.json()) {
    Json workers = Json::array();
    for (const coordinator::WorkerStatus& worker : status.workers) {
      workers.push_back(coordinator::WorkerJson(worker));
    }
    Json object;
    object["workers"] = std::move(workers);
    context.PrintJson(object);
    return absl::OkStatus();
  }
  if (status.workers.empty()) context.out() << "no workers\n";
  for (const coordinator::WorkerStatus& worker : status.workers) Print(worker, context.out());
  return absl::OkStatus();
}

absl::Status Drain(const WorkersArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  ASSIGN_OR_RETURN(const uint32_t told, cluster->Drain(arguments.worker));
  if (told == 0 && !arguments.worker.empty()) {
    return MakeProblem({.code = "unknown_worker",
                        .found = absl::StrCat("worker ", Quote(arguments.worker)),
                        .expected = "the name of a worker that is here (`joseki workers`)"},
                       absl::StatusCode::kNotFound);
  }
  if (context.json()) {
    Json object;
    object["workers"] = told;
    context.PrintJson(object);
  } else {
    context.out() << told << " workers finish their games and leave\n";
  }
  return absl::OkStatus();
}

absl::Status Undrain(const WorkersArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  ASSIGN_OR_RETURN(const Cluster::Undrained undrained, cluster->Undrain(arguments.worker));
  if (context.json()) {
    Json object;
    object["lifted"] = undrained.lifted;
    object["workers"] = undrained.workers;
    context.PrintJson(object);
  } else if (undrained.lifted) {
    context.out() << "the drain has ended; " << undrained.workers
                  << " workers that are here get games again\n";
  } else {
    context.out() << "no change: "
                  << (arguments.worker.empty() ? "no worker was" : arguments.worker + " was not")
                  << " told to drain\n";
  }
  return absl::OkStatus();
}

absl::Status Block(const WorkersArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  ASSIGN_OR_RETURN(const uint32_t leases,
                   cluster->BlockWorker(arguments.worker, arguments.reason, arguments.unseen));
  if (context.json()) {
    Json object;
    object["worker"] = arguments.worker;
    object["leases"] = leases;
    context.PrintJson(object);
  } else {
    context.out() << arguments.worker
                  << " gets no further games, and its games leave the evidence; " << leases
                  << " of its leases ended\n";
  }
  return absl::OkStatus();
}

absl::Status Unblock(const WorkersArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  RETURN_IF_ERROR(cluster->UnblockWorker(arguments.worker, arguments.keep_games_out));
  if (context.json()) {
    Json object;
    object["worker"] = arguments.worker;
    object["keep_games_out"] = arguments.keep_games_out;
    context.PrintJson(object);
  } else {
    context.out() << arguments.worker << " plays again; its games up to now "
                  << (arguments.keep_games_out ? "stay out of" : "come back into")
                  << " the evidence\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddWorkers(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<WorkersArguments>();
  CLI::App* const command = app.add_subcommand("workers", "A coordinator's workers");
  AddCoordinatorOption(*command, arguments->connection);
  const auto add_drain = [&](const char* name, const char* what) {
    CLI::App* const drain = command->add_subcommand(name, what);
    drain->fallthrough();
    CLI::Option* const one = drain->add_option("worker", arguments->worker, "name of one worker");
    CLI::Option* const all = drain->add_flag("--all", arguments->all, "all of them");
    one->excludes(all);
    drain->callback([arguments] {
      if (arguments->worker.empty() && !arguments->all) {
        throw CLI::RequiredError("the name of a worker, or --all,");
      }
    });
    return drain;
  };
  CLI::App* const drain =
      add_drain("drain", "Lets workers finish their games and leave; they get no more");
  CLI::App* const undrain = add_drain("undrain", "Lets drained workers get games again");
  CLI::App* const block = command->add_subcommand(
      "block", "Quarantines a worker: no further games, and its games leave the evidence");
  block->fallthrough();
  block->add_option("worker", arguments->worker, "its name")->required();
  block->add_option("--reason", arguments->reason, "why, for people")->type_name("TEXT");
  block->add_flag("--unseen", arguments->unseen, "it may be a name that never was here");
  CLI::App* const unblock = command->add_subcommand(
      "unblock", "Lets a quarantined worker play again, and its games come back");
  unblock->fallthrough();
  unblock->add_option("worker", arguments->worker, "its name")->required();
  unblock->add_flag("--keep-games-out", arguments->keep_games_out,
                    "its games up to now stay out: it was wrong, and is mended");
  command->callback([arguments, drain, undrain, block, unblock, &context] {
    context.Finish(drain->parsed()     ? Drain(*arguments, context)
                   : undrain->parsed() ? Undrain(*arguments, context)
                   : block->parsed()   ? Block(*arguments, context)
                   : unblock->parsed() ? Unblock(*arguments, context)
                                       : List(*arguments, context));
  });
}

}  // namespace joseki::cli
