#include "cli/match/report.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/shortest_lines.h"
#include "cli/boards/game_view.h"
#include "cli/cluster/local_cluster.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/commands.h"
#include "cli/fresh_seed.h"
#include "cli/move_table.h"
#include "cli/open_book.h"
#include "cli/progress.h"
#include "cli/run/course.h"
#include "cli/run/gains.h"
#include "cli/run/morning_page.h"
#include "cli/run/proof.h"
#include "cli/run/run_history.h"
#include "cli/run/spending.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/page/json.h"
#include "coordinator/page/proof_json.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;
using coordinator::LoadedRun;
using coordinator::TunedRun;

constexpr size_t kMostPositions = 10;  // those with the most games

struct ReportArguments {
  std::string book;
  coordinator::RunId run = 0;  // 0: the newest
  std::string engines;
  std::string html;  // path; empty: none
  ProofArguments proof;
};

// The changes that the run's games made to its book.
struct Changes {
  uint64_t positions = 0;      // with a choice of moves
  uint64_t played = 0;         // of these, reached by games
  ExportBook::Position start;  // reached by most of them
  std::optional<std::vector<Move>>
      line;  // to it; nullopt: only moves that the book lacks lead there
};

absl::StatusOr<Changes> ChangesOf(const TunedRun& tuned, const Rules& rules) {
  Changes changes;
  const book::Graph& graph = *tuned.run.graph;
  uint32_t most = 0;
  book::NodeId busiest = book::kNoNode;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.node(node).count < 2) continue;
    ++changes.positions;
    ExportBook::Position position = coordinator::ExportOfPosition(tuned, node);
    uint32_t games = 0;
    for (const ExportBook::Move& move : position.moves) games += move.evidence.played();
    if (games == 0) continue;
    ++changes.played;
    if (games > most) {
      most = games;
      busiest = node;
      changes.start = std::move(position);
    }
  }
  std::sort(changes.start.moves.begin(), changes.start.moves.end(),
            [](const ExportBook::Move& a, const ExportBook::Move& b) {
              return std::tuple(a.evidence.played(), a.expected) >
                     std::tuple(b.evidence.played(), b.expected);
            });
  if (busiest != book::kNoNode) {
    ASSIGN_OR_RETURN(const book::NodeId start,
                     coordinator::StartNode(rules, graph, tuned.run.row.spec));
    changes.line = book::ShortestLines(graph, start).To(busiest);
  }
  return changes;
}

Json MovesJson(const ExportBook::Position& position, const Rules& rules) {
  Json moves = Json::array();
  for (const ExportBook::Move& move : position.moves) {
    Json json;
    json["move"] = rules.Text(move.move);
    json["games"] = move.evidence.played();
    json["distinct"] = move.evidence.games();
    json["wins"] = move.evidence.wins;
    json["draws"] = move.evidence.draws;
    json["losses"] = move.evidence.losses;
    json["weight"] = move.weight;
    json["expected"] = move.expected.has_value() ? Json(*move.expected) : Json();
    json["low"] = move.low;
    json["high"] = move.high;
    json["answer"] = move.answer;
    moves.push_back(std::move(json));
  }
  return moves;
}

void Print(const LoadedRun& run, const Changes& changes, const std::vector<Gain>& gains,
           Context& context) {
  const Rules& rules = context.rules();
  const Voice& voice = context.voice();
  std::ostream& out = context.out();
  const coordinator::RunSpec& spec = run.row.spec;
  out << voice.Say(phrase::kReportHead,
                   absl::StrCat(run.row.run, spec.name.empty() ? "" : " " + Quote(spec.name)),
                   WordText(voice, run.row.state), run.counters.games, spec.play.engine_id,
                   LimitWords(spec.play, voice), spec.policy, spec.seed);
  std::vector<std::string> endings;
  for (const auto& [termination, games] : run.counters.terminations) {
    endings.push_back(absl::StrCat(WordText(voice, Name(termination)), " ", games));
  }
  out << voice.Say(phrase::kEndedBy, absl::StrJoin(endings, voice.Say(phrase::kComma)),
                   run.all_faults())
      << voice.Say(phrase::kBookLine, changes.positions, changes.played);
  if (run.line_searches != nullptr) {
    const coordinator::LineSearchStatus searches = run.line_searches->status(run.calibration);
    out << voice.Say(phrase::kSpentLine, SpentWords(run.counters.games, searches, voice));
    if (const std::string words = CalibrationWords(searches, voice); !words.empty()) {
      out << voice.Say(phrase::kScoresLine, words);
    }
  }
  if (const std::string words = CourseWords(CourseOf(run), voice); !words.empty()) {
    out << voice.Say(phrase::kExpectedLine, words);
  }
  for (const Gain& gain : gains) {
    out << voice.Say(phrase::kProvenLine, gain.against, GainWords(gain, voice));
  }
  if (changes.start.moves.empty()) return;
  out << voice.Say(phrase::kWhereMostGames,
                   PlaceText(voice, rules, changes.line,
                             rules.Text(changes.start.packed, changes.start.ply), spec.start));
  constexpr size_t kMostMoves = 12;
  std::vector<MoveRow> rows = RowsFor(changes.start, RowsOfRun(spec), rules, voice);
  if (rows.size() > kMostMoves) rows.resize(kMostMoves);
  PrintMoveTable(rows, RowsOfRun(spec), voice, out);
}

// Games including the worth of searches, as `joseki tune` counts them for its proof.
uint64_t GamesSpent(const LoadedRun& run) {
  return run.counters.games + (run.line_searches ? run.line_searches->budget().games_spent() : 0);
}

absl::StatusOr<TunedRun> Load(book::Store& store, const ReportArguments& arguments,
                              const Rules& rules) {
  coordinator::RunId number = arguments.run;
  if (number == 0) {
    ASSIGN_OR_RETURN(const std::vector<coordinator::RunRow> runs,
                     coordinator::RunStore(store).runs().ReadAll());
    for (const coordinator::RunRow& run : runs) number = std::max(number, run.run);
    if (number == 0) {
      return MakeProblem({.code = "no_run",
                          .file = arguments.book,
                          .found = "a book without runs",
                          .expected = "one that `joseki tune` has tuned"},
                         absl::StatusCode::kNotFound);
    }
  }
  return coordinator::LoadTunedRun(store, rules, number);
}

Json HistoryJson(const RunHistory& history) {
  Json workers = Json::array();
  for (const auto& [name, worker] : history.workers) {
    workers.push_back({{"worker", name},
                       {"games", worker.games},
                       {"faults", worker.faults},
                       {"nodes", worker.nodes},
                       {"think_ms", worker.think_ms}});
  }
  return {{"first_ms", history.first_ms},
          {"last_ms", history.last_ms},
          {"plies", history.plies},
          {"first_wins", history.first_wins},
          {"second_wins", history.second_wins},
          {"draws", history.draws},
          {"faults", history.faults},
          {"conflicts", history.conflicts},
          {"checked", history.copies},
          {"differed", history.differed},
          {"poisoned_lines", history.poisoned},
          {"distrusted", history.distrusted},
          {"workers", std::move(workers)}};
}

Json MoversJson(const Movers& movers, const Rules& rules) {
  Json top = Json::array();
  for (const Mover& mover : movers.top) {
    const auto side = [&](const ExportBook::Move& move) {
      return Json{{"move", rules.Text(move.move)},
                  {"games", move.evidence.played()},
                  {"decided", move.evidence.decided()},
                  {"low", move.low},
                  {"high", move.high},
                  {"worth", move.worth},
                  {"searched_nodes", move.searched},
                  {"trials", move.trials}};
    };
    Json line;
    if (mover.line) line = Json::array();
    for (const Move move : mover.line.value_or(std::vector<Move>())) {
      line.push_back(rules.Text(move));
    }
    top.push_back({{"position", mover.position},
                   {"line", std::move(line)},
                   {"games", mover.games},
                   {"before", side(mover.before)},
                   {"after", side(mover.after)}});
  }
  return {{"changed", movers.changed}, {"top", std::move(top)}};
}

void PrintHistory(const MorningReport& report, Context& context) {
  const Rules& rules = context.rules();
  const Voice& voice = context.voice();
  std::ostream& out = context.out();
  const RunHistory& history = *report.history;
  const Movers& movers = *report.movers;
  const GameView& view = ViewOf(rules.game());
  out << voice.Say(phrase::kWonBy, voice.Say(view.first_phrase), history.first_wins, history.draws,
                   voice.Say(view.second_phrase), history.second_wins, history.workers.size())
      << voice.Say(movers.top.empty() ? phrase::kAnswersChanged : phrase::kAnswersChangedTop,
                   movers.changed);
  for (const Mover& mover : movers.top) {
    out << voice.Say(
        phrase::kMover,
        PlaceText(voice, rules, mover.line, mover.position, report.run->run.row.spec.start),
        AnswerWords(mover, mover.after, rules, voice),
        AnswerWords(mover, mover.before, rules, voice));
  }
  out << voice.Say(phrase::kWentWrong, report.run->run.all_faults(), history.conflicts,
                   history.differed, history.copies, report.run->run.counters.excluded,
                   history.poisoned);
  for (const auto* const list : {&history.faults, &history.distrusted}) {
    for (const std::string& item : *list) out << "  " << SentenceText(voice, item) << "\n";
  }
  out << voice.Say(phrase::kReproduce, Hex(report.run->run.row.snapshot).substr(0, 16),
                   report.version)
      << ReproduceCommands(report);
}

absl::Status RunReport(const ReportArguments& arguments, Context& context) {
  const Voice& voice = context.voice();
  SignalWait signals;
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  // Before the proof, which may take hours.
  if (!arguments.html.empty()) RETURN_IF_ERROR(AtomicFile::Create(arguments.html).status());
  ASSIGN_OR_RETURN(const TunedRun tuned, Load(*store, arguments, context.rules()));
  const LoadedRun& run = tuned.run;
  ASSIGN_OR_RETURN(const Changes changes, ChangesOf(tuned, context.rules()));
  ASSIGN_OR_RETURN(const coordinator::SpendingReport spending,
                   coordinator::ReadSpending(*store, context.rules(), tuned, kMostPositions));
  ASSIGN_OR_RETURN(const RunHistory history, ReadRunHistory(*store, run));
  ASSIGN_OR_RETURN(const Movers movers, MoversOf(tuned, context.rules(), kMostPositions));
  MorningReport report = {.book = arguments.book,
                          .version = "joseki " JOSEKI_VERSION,
                          .epoch = store->epoch(),
                          .engines = arguments.engines,
                          .run = &tuned,
                          .history = &history,
                          .movers = &movers,
                          .spending = &spending};
  Proof proof;
  if (arguments.proof.percent > 0) {
    Progress progress(context.err(), Clock::System(), Progress::ForStandardError(voice));
    ASSIGN_OR_RETURN(
        proof, Prove(context.rules(), arguments.book, {run.row.run, run.row.spec, GamesSpent(run)},
                     arguments.proof, arguments.engines, arguments.book + ".logs", FreshSeed(),
                     [&](const ProofMatch& match) {
                       progress.Update(voice.Say(phrase::kProofAgainst, MatchWords(match, voice)),
                                       match.series.pairs_played(), match.settings.series.pairs,
                                       MatchLine(match.series, match.settings.series, voice));
                       return signals.Wait(absl::ZeroDuration());
                     }));
  }
  if (arguments.proof.percent > 0) report.proof = &proof;
  if (proof.interrupted) context.set_exit_status(kInterrupted);
  const Json proofs = coordinator::ProofJson(arguments.book, run.row.run);
  report.gains = GainsOf(proofs, run.row.spec.play.move_ms > 0, voice);
  if (!arguments.html.empty()) {
    RETURN_IF_ERROR(
        WriteFileAtomically(arguments.html, MorningPage(report, context.rules(), voice)));
  }
  if (!context.json()) {
    if (report.proof != nullptr) PrintProof(proof, voice, context.out());
    Print(run, changes, report.gains, context);
    PrintHistory(report, context);
    PrintSpending(spending, run.row.spec.start, context.rules(), voice, context.out());
    return absl::OkStatus();
  }
  Json json;
  json["run"] = run.row.run;
  json["state"] = run.row.state;
  json["games"] = run.counters.games;
  json["faults"] = run.all_faults();
  json["engine"] = run.row.spec.play.engine_id;
  json["nodes"] = run.row.spec.play.nodes;
  json["move_ms"] = run.row.spec.play.move_ms;
  json["policy"] = run.row.spec.policy;
  Json terminations = Json::object();
  for (const auto& [termination, games] : run.counters.terminations) {
    terminations[std::string(Name(termination))] = games;
  }
  json["terminations"] = std::move(terminations);
  json["line_searches"] =
      run.line_searches == nullptr
          ? Json()
          : coordinator::LineSearchJson(run.line_searches->status(run.calibration));
  json["expected"] = CourseJson(CourseOf(run));
  json["positions"] = changes.positions;
  json["positions_played"] = changes.played;
  json["positions_settled"] = spending.settled;
  Json busiest;
  busiest["position"] = changes.start.moves.empty()
                            ? Json()
                            : Json(context.rules().Text(changes.start.packed, changes.start.ply));
  busiest["moves"] = MovesJson(changes.start, context.rules());
  json["busiest"] = std::move(busiest);
  json["spending"] = SpendingJson(spending, context.rules());
  json["history"] = HistoryJson(history);
  json["movers"] = MoversJson(movers, context.rules());
  json["specification"] = ParseJson<Json>(coordinator::SpecToJson(run.row.spec));
  json["snapshot"] = Hex(run.row.snapshot);
  json["epoch"] = report.epoch;
  json["proof"] = arguments.proof.percent > 0 ? ProofJson(proof) : Json();
  json["proofs"] = proofs;
  context.PrintJson(json);
  return absl::OkStatus();
}

}  // namespace

void AddReport(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* const command = app.add_subcommand(
      "report", "What a run's games did to its book, and whether the tuned book is any better");
  AddBookOption(*command, arguments->book);
  command->add_option("--run", arguments->run, "the run; without it the newest")
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_option("--engines", arguments->engines, "file with the run's engine")
      ->type_name("FILE");
  command->add_option("--html", arguments->html, "also write the report as a page with plots")
      ->type_name("FILE");
  AddProofOptions(*command, arguments->proof);
  AddMovesOption(*command, context);
  command->callback([arguments, &context] { context.Finish(RunReport(*arguments, context)); });
}

}  // namespace joseki::cli
