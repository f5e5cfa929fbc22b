#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/run/watch_screen.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
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
  const Voice& voice = context.voice();
  out << voice.Say(phrase::kCoordinatorUp, DurationText(voice, status.uptime), active, seats,
                   status.queued_games, absl::StrFormat("%.1f", status.commit_ms));
  if (status.certificate_end && *status.certificate_end - absl::Now() < kCertificateWarning) {
    out << voice.Say(phrase::kCertificateEnds, Date(*status.certificate_end));
  }
  for (const coordinator::RunStatus& run : status.runs) {
    out << RunLine(run, voice) << "\n"
        << voice.Say(phrase::kRunCounts, run.slots_in_flight, run.draws, run.faults, run.conflicts);
    if (const std::string trouble = NotServedWords(run, voice); !trouble.empty()) {
      out << "    " << trouble << "\n";
    }
    if (run.line_searches) {
      out << "    " << voice.Say(phrase::kSpentOn, SpentWords(run, voice)) << "\n";
      const std::string scores = CalibrationWords(*run.line_searches, voice);
      if (!scores.empty()) out << "    " << scores << "\n";
    }
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

// The positions where the games of a run go, with their answers.
std::vector<WatchedAnswer> AnswersOf(Cluster& cluster, const coordinator::RunStatus& run,
                                     const Context& context) {
  std::vector<WatchedAnswer> answers;
  const auto spending = cluster.GetSpending(run.run, kPositionsShown);
  if (!spending.ok()) return answers;
  for (const coordinator::SpendingReport::Position& top : spending->top) {
    const auto position = cluster.GetPosition(run.run, top.position);
    if (!position.ok()) continue;
    for (const coordinator::MoveEvidence& move : position->moves) {
      if (!move.answer) continue;
      const uint64_t decided = move.evidence.decided();
      answers.push_back(
          {.position = top.position,
           .place =
               PlaceText(context.voice(), context.rules(), top.line, top.position, run.spec.start),
           .is_line = top.line.has_value(),
           .recent = top.recent,
           .share = spending->recent_games == 0 ? 0
                                                : static_cast<double>(top.recent) /
                                                      static_cast<double>(spending->recent_games),
           .answer = context.voice().MoveText(context.rules(), top.position, move.move),
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

// The run shown in detail: the one asked for, or the first that is running; null if there is none.
const coordinator::RunStatus* RunInDetail(const StatusArguments& arguments,
                                          const coordinator::ClusterStatus& status) {
  for (const coordinator::RunStatus& run : status.runs) {
    if (arguments.run != 0 ? run.run == arguments.run : run.state == "running") return &run;
  }
  return nullptr;
}

// The consumer of a watch.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Shows a status. Returns whether to continue.
  virtual bool See(Cluster& cluster, const coordinator::ClusterStatus& status) = 0;
  // The coordinator is unreachable for this reason and will be retried; called once per loss.
  virtual void Lost(const absl::Status& why) = 0;
};

class LineWatcher : public Watcher {
 public:
  LineWatcher(const StatusArguments& arguments, Context& context)
      : arguments_(arguments), context_(context) {}

  bool See(Cluster&, const coordinator::ClusterStatus& status) override {
    if (std::exchange(lost_, false)) {
      context_.err() << context_.voice().Say(phrase::kAnswersAgain) << std::flush;
    }
    Print(status, context_);
    return arguments_.run == 0 || !IsOver(status);
  }
  void Lost(const absl::Status& why) override {
    lost_ = true;
    context_.err() << context_.voice().Say(phrase::kAskingAgain, ProblemOf(why).found)
                   << std::flush;
  }

 private:
  const StatusArguments& arguments_;
  Context& context_;
  bool lost_ = false;
};

class ScreenWatcher : public Watcher {
 public:
  ScreenWatcher(const StatusArguments& arguments, Context& context)
      : arguments_(arguments), context_(context) {
    context_.out() << "\x1b[2J";
  }

  bool See(Cluster& cluster, const coordinator::ClusterStatus& status) override {
    const absl::Time now = absl::Now();
    history_.Note(status, now);
    const coordinator::RunStatus* const run = RunInDetail(arguments_, status);
    if (run != nullptr && now >= look_again_) {
      history_.NoteAnswers(AnswersOf(cluster, *run, context_));
      // Each look makes the coordinator read the recent games, so do it rarely.
      look_again_ = absl::Now() + kDetailEvery;
    }
    lines_ = WatchLines(status, history_, SizeOfScreen(), now, context_.voice());
    context_.out() << FrameOf(lines_) << std::flush;
    return arguments_.run == 0 || !IsOver(status);
  }
  // Keep the last frame below the notice.
  void Lost(const absl::Status&) override {
    if (lines_.empty()) lines_.emplace_back();
    lines_.front() = CutTo(context_.voice().Say(phrase::kScreenLost, ClockText(absl::Now())),
                           SizeOfScreen().columns);
    context_.out() << FrameOf(lines_) << std::flush;
  }

 private:
  const StatusArguments& arguments_;
  Context& context_;
  WatchHistory history_;
  absl::Time look_again_ = absl::InfinitePast();
  std::vector<std::string> lines_;
};

// Watches, and reconnects for as long as the coordinator is unreachable. REQUIRES: `cluster` was
// reached.
absl::Status Watch(const StatusArguments& arguments, std::unique_ptr<Cluster> cluster,
                   Watcher& watcher) {
  const absl::Duration interval = absl::Seconds(arguments.interval);
  for (bool lost = false;;) {
    absl::Status watched;
    if (cluster != nullptr) {
      watched = cluster->WatchStatus(arguments.run, interval,
                                     [&](const coordinator::ClusterStatus& status) {
                                       lost = false;
                                       return watcher.See(*cluster, status);
                                     });
      if (!IsGone(watched)) return watched;
    }
    if (!std::exchange(lost, true)) watcher.Lost(watched);
    absl::SleepFor(interval);
    // Make a new connection: a failed one backs off longer and longer.
    absl::StatusOr<std::unique_ptr<Cluster>> again = Cluster::Reach(arguments.connection);
    if (!again.ok() && !IsGone(again.status())) return again.status();
    cluster = again.ok() ? *std::move(again) : nullptr;
  }
}

absl::Status RunStatusCommand(const StatusArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(auto cluster, Reach(context, arguments.connection));
  if (!arguments.watch) {
    ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster->GetStatus(arguments.run));
    Print(status, context);
    return absl::OkStatus();
  }
  if (!context.json() && isatty(STDOUT_FILENO) != 0) {
    ScreenWatcher screen(arguments, context);
    return Watch(arguments, std::move(cluster), screen);
  }
  LineWatcher lines(arguments, context);
  return Watch(arguments, std::move(cluster), lines);
}

}  // namespace

void AddStatus(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<StatusArguments>();
  CLI::App* const command = app.add_subcommand("status", "How far a coordinator's runs are");
  AddCoordinatorOption(*command, arguments->connection);
  command->add_option("--run", arguments->run, "this run only")
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_flag(
      "--watch", arguments->watch,
      "again and again, with --run until that run is over; a coordinator that is gone "
      "is asked until it is back");
  command->add_option("--interval", arguments->interval, "seconds between two looks")
      ->check(Within(0.2, 60.0))
      ->capture_default_str();
  AddMovesOption(*command, context);
  command->callback(
      [arguments, &context] { context.Finish(RunStatusCommand(*arguments, context)); });
}

}  // namespace joseki::cli
