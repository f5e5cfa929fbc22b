#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/option_range.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/run/watch_screen.h"
#include "coordinator/page/json.h"

namespace joseki::cli {
namespace {

struct StatusArguments {
  Connection connection;
  RunId run = 0;
  bool watch = false;
  double interval = 1;
};

constexpr uint32_t kPositionsShown = 8;
constexpr absl::Duration kDetailEvery = absl::Seconds(15);
constexpr absl::Duration kCertificateWarning = absl::Hours(24 * 30);

std::string Date(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

void Print(const coordinator::ClusterStatus& status, Context& context) {
  if (context.json()) return context.PrintJson(coordinator::StatusJson(status));
  std::ostream& out = context.out();
  int active = 0;
  uint32_t seats = 0;
  for (const coordinator::WorkerStatus& worker : status.workers) {
    if (worker.state != "active") continue;
    ++active;
    seats += worker.seats;
  }
  out << absl::StreamFormat(
      "coordinator up %s; %d workers with %d slots; %d games wait for the disk, last commit %.1f ms"
      "\n",
      Words(status.uptime), active, seats, status.queued_games, status.commit_ms);
  if (status.certificate_end && *status.certificate_end - absl::Now() < kCertificateWarning) {
    out << "the coordinator's certificate ends at " << Date(*status.certificate_end)
        << ": renew it with `joseki certs server`\n";
  }
  for (const coordinator::RunStatus& run : status.runs) {
    out << RunLine(run) << "\n"
        << absl::StreamFormat(
               "    %d games in play, %d draws thrown away, %d faults, %d conflicts\n",
               run.slots_in_flight, run.draws, run.faults, run.conflicts);
    if (run.line_searches) out << "    spent on " << SpentWords(run) << "\n";
  }
  out << std::flush;
}

bool IsOver(const coordinator::ClusterStatus& status) {
  const std::string& state = status.runs.at(0).state;
  return state == "done" || state == "stopped" || state == "failed";
}

ScreenSize SizeOfScreen() {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0) return {};
  return {.rows = window.ws_row, .columns = window.ws_col};
}

// Where the games of a run go, and what is answered there.
std::vector<WatchedAnswer> AnswersOf(Cluster& cluster, RunId run, const Rules& rules) {
  std::vector<WatchedAnswer> answers;
  const auto spending = cluster.GetSpending(run, kPositionsShown);
  if (!spending.ok()) return answers;
  for (const coordinator::SpendingReport::Position& top : spending->top) {
    const auto position = cluster.GetPosition(run, top.position);
    if (!position.ok()) continue;
    for (const coordinator::MoveEvidence& move : position->moves) {
      if (!move.answer) continue;
      const uint64_t decided = move.evidence.decided();
      answers.push_back(
          {.position = top.position,
           .recent = top.recent,
           .share = spending->recent_games == 0 ? 0
                                                : static_cast<double>(top.recent) /
                                                      static_cast<double>(spending->recent_games),
           .answer = rules.Text(move.move),
           .score = decided == 0
                        ? 0.5
                        : static_cast<double>(move.evidence.wins) / static_cast<double>(decided),
           .score_low = move.score_low,
           .score_high = move.score_high,
           .games = decided});
    }
  }
  return answers;
}

// The run that is shown in detail: the one that was asked for, or the first that goes on.
RunId RunInDetail(const StatusArguments& arguments, const coordinator::ClusterStatus& status) {
  if (arguments.run != 0) return arguments.run;
  for (const coordinator::RunStatus& run : status.runs) {
    if (run.state == "running") return run.run;
  }
  return 0;
}

absl::Status WatchOnScreen(const StatusArguments& arguments, Context& context, Cluster& cluster) {
  WatchHistory history;
  absl::Time look_again = absl::InfinitePast();
  context.out() << "\x1b[2J";
  return cluster.WatchStatus(
      arguments.run, absl::Seconds(arguments.interval),
      [&](const coordinator::ClusterStatus& status) {
        const absl::Time now = absl::Now();
        history.Note(status, now);
        if (const RunId run = RunInDetail(arguments, status); run != 0 && now >= look_again) {
          history.NoteAnswers(AnswersOf(cluster, run, context.rules()));
          // It reads the games of late once more, which is the coordinator's work.
          look_again = absl::Now() + kDetailEvery;
        }
        context.out() << FrameOf(WatchLines(status, history, SizeOfScreen(), now)) << std::flush;
        return arguments.run == 0 || !IsOver(status);
      });
}

absl::Status RunStatusCommand(const StatusArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.connection));
  if (!arguments.watch) {
    ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(arguments.run));
    Print(status, context);
    return absl::OkStatus();
  }
  if (!context.json() && isatty(STDOUT_FILENO) != 0)
    return WatchOnScreen(arguments, context, *cluster);
  return cluster->WatchStatus(arguments.run, absl::Seconds(arguments.interval),
                              [&](const coordinator::ClusterStatus& status) {
                                Print(status, context);
                                return arguments.run == 0 || !IsOver(status);
                              });
}

}  // namespace

void AddStatus(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<StatusArguments>();
  CLI::App* const command = app.add_subcommand("status", "How far a coordinator's runs are");
  AddCoordinatorOption(*command, arguments->connection);
  command->add_option("--run", arguments->run, "this run only")
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_flag("--watch", arguments->watch,
                    "again and again; with --run until that run is over");
  command->add_option("--interval", arguments->interval, "seconds between two looks")
      ->check(Within(0.2, 60.0))
      ->capture_default_str();
  command->callback(
      [arguments, &context] { context.Finish(RunStatusCommand(*arguments, context)); });
}

}  // namespace joseki::cli
