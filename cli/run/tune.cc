#include "cli/run/tune.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "base/clock.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/play_spec.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/fresh_seed.h"
#include "cli/match/report.h"
#include "cli/open_book.h"
#include "cli/progress.h"
#include "cli/run/search_notice.h"
#include "cli/run/spec_command.h"
#include "cli/run/start_moves.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/page/json.h"
#include "worker/play/cores.h"
#include "worker/play/embedded_engine.h"

namespace joseki::cli {
namespace {

constexpr absl::Duration kLook = absl::Milliseconds(250);
// The command gives up when for this long no game is in play and the coordinator names a reason.
constexpr absl::Duration kStuck = absl::Seconds(10);
constexpr uint64_t kFaultsToSay = 3;

using Arguments = TuneArguments;
using Report = TuneReport;

bool IsUnfinished(const coordinator::RunStatus& run) {
  return run.state == "running" || run.state == "paused";
}

// Fails before anything is started if the book has no moves.
absl::Status CheckBook(const std::string& path) {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const book::BookTotals totals, book::BookStore(*store).Totals());
  if (totals.moves > 0) return absl::OkStatus();
  return MakeProblem({.code = "empty_book",
                      .file = path,
                      .found = "a book without moves",
                      .expected = "a book that `joseki import` has filled"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<coordinator::RunStatus> StatusOf(Cluster& cluster, RunId run) {
  ASSIGN_OR_RETURN(coordinator::ClusterStatus status, cluster.GetStatus(run));
  return std::move(status.runs.at(0));
}

struct Found {
  std::optional<RunId> run = {};
  bool extended = false;
  std::string why_not = {};  // without a run: why no earlier one is resumed; empty: there is none
};

// The newest finished run that can be extended and equals `spec` but for its budget.
Found FindDoneRun(const Arguments& arguments, const coordinator::RunSpec& spec,
                  const coordinator::ClusterStatus& status, const Voice& voice) {
  Found found;
  for (const coordinator::RunStatus& run : status.runs) {
    if (run.spec.match) continue;
    coordinator::RunSpec have = run.spec;
    have.extension.reset();
    have.games = spec.games;
    have.seconds = spec.seconds;
    const std::vector<std::string> differences =
        DifferencesOf(spec, have, arguments.spec.seed.has_value());
    if (arguments.begin_new) {
      found.why_not = voice.Say(phrase::kNewAsked);
    } else if (!differences.empty()) {
      found.why_not = voice.Say(phrase::kOtherOptions, run.run, absl::StrJoin(differences, ", "));
    } else if (run.state != "done") {
      found.why_not = voice.Say(phrase::kForGood, run.run, WordText(voice, run.state));
    } else if (run.stages > 0) {
      found.why_not = voice.Say(phrase::kNoMoreStages, run.run, run.stages, spec.policy);
    } else {
      found.run = run.run;
    }
  }
  return found;
}

// Finds a run by FindDoneRun and extends it.
absl::StatusOr<Found> ExtendDoneRun(const Arguments& arguments, const coordinator::RunSpec& spec,
                                    const coordinator::ClusterStatus& status, Cluster& cluster,
                                    Context& context) {
  const Voice& voice = context.voice();
  const Found found = FindDoneRun(arguments, spec, status, voice);
  if (!found.run) return found;
  const absl::StatusOr<coordinator::ExtendedRun> extended = cluster.ExtendRun(
      *found.run,
      {.games = spec.games, .seconds = spec.seconds, .same_book = true, .request_id = {}});
  if (!extended.ok()) {
    const std::string code = ProblemOf(extended.status()).code;
    if (code == "book_changed") {
      return Found{.why_not = voice.Say(phrase::kBookChanged, *found.run)};
    }
    if (code == "games_dropped") {
      return Found{.why_not = voice.Say(phrase::kGamesDropped, *found.run)};
    }
    return extended.status();
  }
  context.err() << voice.Say(phrase::kGoesOnFor, *found.run, extended->spec.extension->after,
                             BudgetWords(spec, voice), RegardlessWords(extended->spec, voice));
  return Found{.run = found.run, .extended = true};
}

// The newest unfinished run, if it equals `spec`; else a finished one, extended; else a new one.
absl::StatusOr<Found> FindOrCreateRun(const Arguments& arguments, coordinator::RunSpec spec,
                                      Cluster& cluster, Context& context) {
  ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster.GetStatus(0));
  const coordinator::RunStatus* newest = nullptr;
  for (const coordinator::RunStatus& run : status.runs) {
    if (!IsUnfinished(run)) continue;
    if (arguments.begin_new) {
      RETURN_IF_ERROR(cluster.ChangeRun(run.run, Cluster::Change::kStop).status());
      context.err() << context.voice().Say(phrase::kStoppedForGood, run.run);
    } else if (newest == nullptr || run.run > newest->run) {
      newest = &run;
    }
  }
  if (newest == nullptr) {
    ASSIGN_OR_RETURN(Found found, ExtendDoneRun(arguments, spec, status, cluster, context));
    if (found.run) return found;
    // Without a given seed, each further run of a book gets another one and plays other games.
    if (!arguments.spec.seed) spec.seed = 1 + status.runs.size();
    if (!arguments.opponent_book.empty()) {
      RETURN_IF_ERROR(cluster.PutBook(arguments.opponent_book).status());
    }
    spec.take_over = !arguments.begin_new;
    ASSIGN_OR_RETURN(const Cluster::CreatedRun created, cluster.CreateRun(spec, ""));
    const Voice& voice = context.voice();
    context.err() << voice.Say(phrase::kRunBegins, created.run, created.moves, created.positions);
    if (!found.why_not.empty()) {
      ASSIGN_OR_RETURN(const coordinator::RunStatus begun, StatusOf(cluster, created.run));
      context.err() << (begun.spec.taken_over
                            ? voice.Say(phrase::kTakesOver, TakenOverWords(begun.spec, voice),
                                        found.why_not)
                            : voice.Say(phrase::kFromNothing, found.why_not));
    }
    context.err() << "\n" << SearchNotice(arguments.spec, spec, created.positions, voice);
    return Found{.run = created.run};
  }
  const std::vector<std::string> differences =
      DifferencesOf(spec, newest->spec, arguments.spec.seed.has_value());
  if (!differences.empty()) {
    return MakeProblem(
        {.code = "unfinished_run",
         .file = arguments.book,
         .found = absl::StrCat("run ", newest->run, " is unfinished, and this command asks for ",
                               absl::StrJoin(differences, ", ")),
         .expected = "the same options to continue it, or --new to stop it and begin another"},
        absl::StatusCode::kFailedPrecondition);
  }
  context.err() << context.voice().Say(phrase::kGoesOnAfter, newest->run, newest->games_done);
  if (newest->state == "paused") {
    RETURN_IF_ERROR(cluster.ChangeRun(newest->run, Cluster::Change::kResume).status());
  }
  return Found{.run = newest->run};
}

// Watches until the run is over or a signal to end arrives; returns whether one arrived.
absl::StatusOr<bool> Watch(LocalCluster& local, Cluster& cluster, RunId run, SignalWait& signals,
                           Context& context) {
  Progress::Options options = Progress::ForStandardError(context.voice());
  options.plain_every = absl::Seconds(5);
  Progress progress(context.err(), Clock::System(), options);
  absl::Time played = absl::Now();
  std::string said_off;
  bool said_faults = false;
  while (!signals.Wait(kLook)) {
    RETURN_IF_ERROR(local.Tend(absl::Now()));
    const absl::StatusOr<coordinator::RunStatus> status = StatusOf(cluster, run);
    if (!status.ok()) {
      // Most likely the coordinator has just ended: Tend then returns a better error.
      signals.Wait(kLook);
      RETURN_IF_ERROR(local.Tend(absl::Now()));
      return status.status();
    }
    if (const std::string off = OffWords(*status, context.voice()); off != said_off) {
      progress.Clear();
      if (!off.empty()) context.err() << off << "\n";
      said_off = off;
    }
    if (!said_faults && status->faults >= kFaultsToSay && !status->last_fault.empty()) {
      progress.Clear();
      context.err() << context.voice().Say(phrase::kBroken, status->faults, status->last_fault,
                                           local.folder());
      said_faults = true;
    }
    if (!IsUnfinished(*status)) return false;
    // No other worker will come that could play the run: give up.
    const std::string why = status->reason.empty() ? status->not_served : status->reason;
    if (status->slots_in_flight > 0 || why.empty() || status->state != "running") {
      played = absl::Now();
    } else if (absl::Now() - played > kStuck) {
      return MakeProblem({.code = "run_waits",
                          .found = absl::StrCat("run ", run, ", which nobody here can play: ", why),
                          .expected = "workers that can; the same command goes on"},
                         absl::StatusCode::kAborted);
    }
    progress.Update(RunLine(*status, context.voice()), 0, 0, "");
  }
  return true;
}

absl::StatusOr<Report> Play(const Arguments& arguments, const coordinator::RunSpec& spec,
                            LocalCluster& local, Cluster& cluster, SignalWait& signals,
                            Context& context) {
  ASSIGN_OR_RETURN(const Found found, FindOrCreateRun(arguments, spec, cluster, context));
  const RunId run = *found.run;
  Report report;
  report.extended = found.extended;
  ASSIGN_OR_RETURN(report.run, StatusOf(cluster, run));
  const uint64_t games_before = report.run.games_done;
  ASSIGN_OR_RETURN(report.before, cluster.GetPosition(run, ""));
  const absl::Time began = absl::Now();
  RETURN_IF_ERROR(local.StartWorkers());
  ASSIGN_OR_RETURN(report.interrupted, Watch(local, cluster, run, signals, context));
  if (report.interrupted) {
    context.err() << context.voice().Say(phrase::kStopping);
  }
  local.StopWorkers(signals);
  report.time = absl::Now() - began;
  ASSIGN_OR_RETURN(report.run, StatusOf(cluster, run));
  ASSIGN_OR_RETURN(report.after, cluster.GetPosition(run, ""));
  // Games of a worker that was blocked meanwhile are taken back, earlier ones too.
  report.games = report.run.games_done - std::min(games_before, report.run.games_done);
  return report;
}

// The start of the run's lines; in the user's own words if these were moves.
std::string StartText(const Report& report, const Arguments& arguments, const Context& context) {
  const Voice& voice = context.voice();
  const std::string& start = report.run.spec.start;
  const std::string& asked = arguments.spec.run.start;
  if (start == "startpos") return voice.Say(phrase::kAtTheStart);
  if (!asked.empty() && asked != start) return voice.Say(phrase::kAfterMoves, asked);
  return voice.Say(phrase::kAtPosition, report.after.position);
}

void Print(const Report& report, const Arguments& arguments, Context& context) {
  const double seconds = absl::ToDoubleSeconds(report.time);
  const double rate = seconds > 0 ? static_cast<double>(report.games) / seconds : 0;
  if (context.json()) {
    Json object;
    object["run"] = report.run.run;
    object["extended"] = report.extended;
    object["games"] = report.games;
    object["seconds"] = seconds;
    object["games_per_second"] = rate;
    // Only a match against the input book proves anything.
    object["proof"] = report.proof ? ProofJson(*report.proof) : Json();
    object["interrupted"] = report.interrupted;
    object["state"] = report.run.state;
    object["games_done"] = report.run.games_done;
    if (const auto& searches = report.run.line_searches) {
      object["line_searches"] = coordinator::LineSearchJson(*searches);
    }
    object["games_target"] = report.run.spec.games;
    object["draws"] = report.run.draws;
    object["faults"] = report.run.faults;
    object["start"] = StartMovesJson(report.before, report.after, context.rules());
    return context.PrintJson(object);
  }
  std::ostream& out = context.out();
  const Voice& voice = context.voice();
  const Rules& rules = context.rules();
  out << voice.Say(phrase::kTuned, report.games, DurationText(voice, report.time),
                   absl::StrFormat("%.1f", rate), RunLine(report.run, voice));
  if (report.proof) PrintProof(*report.proof, voice, out);
  const coordinator::PlaySpec& play = report.run.spec.play;
  out << Verdict(report.after, rules, voice) << "\n";
  out << voice.Say(phrase::kMovesAt, StartText(report, arguments, context), play.engine_id,
                   LimitWords(play, voice));
  PrintStartMoves(report.after, report.run.spec, rules, voice, out);
  if (report.interrupted && IsUnfinished(report.run)) out << voice.Say(phrase::kBrokenOff);
  out << voice.Say(
      phrase::kTheTunedBook,
      absl::StrCat("joseki export --book ", ShellWord(arguments.book), " --run ", report.run.run,
                   " --format ", std::string(coordinator::UsualFormat(rules)), " --out FILE"));
}

int SlotsPerWorker(const Arguments& arguments) {
  if (arguments.seats_per_worker > 0) return arguments.seats_per_worker;
  return std::max(1, worker::UsableCores() / arguments.workers);
}

// The duration of a lease. Local workers are never unreachable for long, so a short lease soon
// frees the slots of a killed one. A lease must outlast the games that a worker plays before its
// slots' turn. A game takes about 150 moves, at about 300,000 nodes a second.
int LeaseSeconds(const coordinator::PlaySpec& play) {
  uint64_t seconds = play.move_ms > 0 ? play.move_ms * 6 / 10 : play.nodes / 500;
  if (play.opponent) {
    const coordinator::Opponent& other = *play.opponent;
    seconds =
        std::max<uint64_t>(seconds, other.move_ms > 0 ? other.move_ms * 6 / 10 : other.nodes / 500);
  }
  return static_cast<int>(std::min<uint64_t>(20 + seconds, 86'400));
}

absl::Status Tune(const Arguments& arguments, const coordinator::RunSpec& spec, Context& context) {
  SignalWait signals;
  ASSIGN_OR_RETURN(const Report report, TuneBook(arguments, spec, signals, context));
  Print(report, arguments, context);
  if ((report.interrupted && IsUnfinished(report.run)) ||
      (report.proof && report.proof->interrupted)) {
    context.set_exit_status(kInterrupted);
  }
  // On a terminal the page stays until Ctrl-C; a script goes on.
  if (report.page != nullptr && !report.interrupted && isatty(STDIN_FILENO) != 0) {
    context.out().flush();
    context.err() << "the page stays at " << report.page->url() << " until Ctrl-C\n";
    while (!signals.Wait(absl::Hours(1))) {
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TuneReport> TuneBook(const TuneArguments& arguments,
                                    const coordinator::RunSpec& spec, SignalWait& signals,
                                    Context& context) {
  RETURN_IF_ERROR(CheckBook(arguments.book));
  ASSIGN_OR_RETURN(
      LocalCluster local,
      LocalCluster::Create({arguments.book, arguments.workers, SlotsPerWorker(arguments),
                            LeaseSeconds(spec.play), arguments.spec.engines, arguments.page}));
  ASSIGN_OR_RETURN(const std::string address, local.StartCoordinator(signals));
  if (!arguments.page.empty()) {
    context.err() << "page: " << BookPage::UrlOf(arguments.page) << "\n";
  }
  absl::StatusOr<Report> report =
      Play(arguments, spec, local, *Cluster::At({address, {}}, context.rules()), signals, context);
  // In every case: submit and commit the games that are finished.
  local.StopWorkers(signals);
  const absl::Status stopped = local.StopCoordinator(signals);
  RETURN_IF_ERROR(report.status());
  RETURN_IF_ERROR(stopped);
  if (!arguments.page.empty()) {
    ASSIGN_OR_RETURN(report->page, BookPage::Start({.db_path = arguments.book}, std::nullopt,
                                                   arguments.page, "--page", context.rules()));
  }
  if (!report->interrupted && arguments.proof.percent > 0) {
    Progress progress(context.err(), Clock::System(), Progress::ForStandardError(context.voice()));
    ASSIGN_OR_RETURN(
        report->proof,
        Prove(context.rules(), arguments.book,
              {report->run.run, report->run.spec, report->run.games_spent()}, arguments.proof,
              arguments.spec.engines, local.folder(), FreshSeed(), [&](const ProofMatch& match) {
                progress.Update(
                    context.voice().Say(phrase::kProofAgainst, MatchWords(match, context.voice())),
                    match.series.pairs_played(), match.settings.series.pairs,
                    MatchLine(match.series, match.settings.series, context.voice()));
                return signals.Wait(absl::ZeroDuration());
              }));
  }
  return report;
}

void AddTune(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* const command = app.add_subcommand(
      "tune", "Tunes a book by self-play on this machine: coordinator and workers in one command");
  AddBookOption(*command, arguments->book);
  AddSpecOptions(*command, arguments->spec);
  AddOpponentOptions(*command, arguments->opponent);
  command->add_option("--workers", arguments->workers, "worker processes")
      ->type_name("W")
      ->check(Within(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--slots-per-worker", arguments->seats_per_worker,
                   "games that a worker plays at once; without it the cores are shared out")
      ->type_name("K")
      ->check(Within(1, 1024));
  AddProofOptions(*command, arguments->proof);
  AddMovesOption(*command, context);
  command
      ->add_option("--page", arguments->page,
                   "also serve the book's page for browsers of this machine, at " +
                       std::string(kPageAddress) +
                       " unless another address is named; on a terminal it stays until Ctrl-C")
      ->type_name("HOST:PORT")
      ->expected(0, 1)
      ->default_str(kPageAddress)
      ->check(
          [](const std::string& address) {
            return address.ends_with(":0") ? "a port has to be named" : "";
          },
          "");
  command->add_flag("--new", arguments->begin_new,
                    "begin another run from nothing; an unfinished one is stopped for good");
  command->callback([arguments, &context] {
    if (arguments->spec.run.games == 0 && arguments->spec.hours == 0) {
      throw CLI::RequiredError("--games or --hours");
    }
    if (arguments->spec.run.play.engine_id != book::kEmbeddedEngine &&
        arguments->spec.engines.empty()) {
      throw CLI::RequiredError("--engines");
    }
    // Open the book first: the run is of its game.
    if (const auto store = OpenBook(context, arguments->book, book::OpenMode::kReadOnly);
        !store.ok()) {
      return context.Finish(store.status());
    }
    absl::StatusOr<coordinator::RunSpec> spec = SpecOf(arguments->spec, context.rules());
    if (!spec.ok()) return context.Finish(spec.status(), kBadUsage);
    const absl::StatusOr<std::string> book =
        SetOpponent(arguments->opponent, arguments->spec, context.rules(), *spec);
    if (!book.ok()) return context.Finish(book.status(), kBadUsage);
    arguments->opponent_book = *book;
    // Check the engine's options here: the workers are on this machine.
    if (arguments->spec.run.play.engine_id == book::kEmbeddedEngine) {
      const auto player = worker::MakeEmbedded(spec->play);
      if (!player.ok()) return context.Finish(player.status());
    }
    context.Finish(Tune(*arguments, *spec, context));
  });
}

}  // namespace joseki::cli
