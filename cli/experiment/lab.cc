#include "cli/experiment/lab.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/counted_book.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/formats/counted_moves.h"
#include "book/weighing.h"
#include "cli/match/file.h"
#include "cli/match/options.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "cli/progress.h"
#include "cli/run/tune.h"
#include "coordinator/offline/stage_book.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "worker/cores.h"

namespace joseki::cli {
namespace {

constexpr double kDeviation = 0.008;

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// A seed of 53 bits for one thing of the experiment.
uint64_t SeedOf(uint64_t seed, const std::string& what) {
  return Hash64(absl::StrCat(seed, " ", what)) >> 11;
}

book::PlayedCounts CountsOf(const book::MoveCounts& counts) {
  return {counts.games, counts.wins, counts.draws, counts.losses};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Laboratory>> Laboratory::Open(const ExperimentArguments& arguments,
                                                             Context& context) {
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error) return FileProblem(error.value(), arguments.folder, "a folder that can be written");
  std::unique_ptr<Laboratory> lab(new Laboratory(arguments, context));
  RETURN_IF_ERROR(lab->CheckSettings());
  return lab;
}

// What all books and matches of the folder have in common is written down at its beginning.
absl::Status Laboratory::CheckSettings() {
  Json settings;
  settings["schema"] = 1;
  settings["sources"] = Json::array();
  for (const std::string& source : arguments_.sources) {
    ASSIGN_OR_RETURN(const Sha256 hash, HashOfFile(source));
    settings["sources"].push_back(Hex(hash));
  }
  settings["plies"] = arguments_.plies;
  settings["filter"] = arguments_.filter;
  settings["games"] = arguments_.games;
  settings["nodes"] = arguments_.nodes;
  settings["max_plies"] = arguments_.max_plies;
  settings["seed"] = arguments_.seed;
  const std::string path = PathOf("experiment.json");
  if (!Exists(path)) {
    if (arguments_.sources.empty()) {
      return MakeProblem({.code = "usage",
                          .file = "--source",
                          .found = "none, and nothing in " + Quote(arguments_.folder),
                          .expected = "game records, a book, or a table of counts"});
    }
    return WriteFileAtomically(path, settings.dump() + "\n");
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const Json have = ParseJson<Json>(text);
  if (!have.is_object()) {
    return MakeProblem({.code = "bad_experiment",
                        .file = path,
                        .found = Quote(text),
                        .expected = "a file that `joseki experiment` has written"},
                       absl::StatusCode::kFailedPrecondition);
  }
  for (const auto& [key, value] : settings.items()) {
    // Its books are made: where they came from need not be said again.
    if (key == "sources" && arguments_.sources.empty()) continue;
    const Json before = have.value(key, Json());
    if (value == before) continue;
    return MakeProblem({.code = "other_experiment",
                        .file = path,
                        .found = absl::StrCat("an experiment with ", key, " ", before.dump(),
                                              ", not ", value.dump()),
                        .expected = "the same settings to go on, or another --folder"},
                       absl::StatusCode::kFailedPrecondition);
  }
  return absl::OkStatus();
}

absl::Status Laboratory::CheckInterrupted() {
  interrupted_ = interrupted_ || signals_.Wait(absl::ZeroDuration());
  return interrupted_ ? absl::CancelledError("interrupted") : absl::OkStatus();
}

template <typename Make>
absl::Status Laboratory::MakeOnce(const std::string& database, const Make& make) {
  if (Exists(database)) return absl::OkStatus();
  RETURN_IF_ERROR(CheckInterrupted());
  const std::string unfinished = database + ".new";
  std::error_code error;
  for (const char* const part : {"", "-wal", "-shm", ".lock"}) {
    std::filesystem::remove(unfinished + part, error);
  }
  RETURN_IF_ERROR(make(unfinished));
  std::filesystem::remove(unfinished + ".lock", error);
  RETURN_IF_ERROR(SyncFile(unfinished));
  return RenameFile(unfinished, database);
}

absl::Status Laboratory::Fill(const std::string& database) {
  ASSIGN_OR_RETURN(const book::NoiseFilter filter, book::ParseNoiseFilter(arguments_.filter));
  const auto tell = [this](const absl::Status& problem) {
    context_.err() << problem.message() << "\n";
  };
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(database, book::OpenMode::kCreate));
  ASSIGN_OR_RETURN(const std::vector<std::string> files, book::ListImportFiles(arguments_.sources));
  book::ImportOptions options;
  options.plies = arguments_.plies;
  options.filter = filter;
  options.on_reject = tell;
  book::Importer importer(context_.rules(), std::move(options));
  for (const std::string& file : files) {
    ASSIGN_OR_RETURN(const std::string bytes, ReadFile(file));
    if (book::IsCountedMoves(bytes)) {
      RETURN_IF_ERROR(
          book::ImportCounts(*store, file, bytes, {arguments_.plies, filter, tell}).status());
    } else {
      importer.AddBytes(file, bytes);
    }
  }
  RETURN_IF_ERROR(importer.Commit(*store, "records").status());
  ASSIGN_OR_RETURN(const book::BookTotals totals, book::BookStore(*store).Totals());
  if (totals.moves > 0) return absl::OkStatus();
  return MakeProblem({.code = "empty_book",
                      .file = arguments_.sources.front(),
                      .found = "no move at all",
                      .expected = "sources with at least one game"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<std::string> Laboratory::BaseBook() {
  const std::string path = PathOf("base.sqlite");
  if (has_base_) return path;
  RETURN_IF_ERROR(MakeOnce(path, [this](const std::string& name) { return Fill(name); }));
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(path, book::OpenMode::kReadOnly));
  RETURN_IF_ERROR(book::BookStore(*store).ForEach([this](const book::BookPosition& position) {
    for (const book::BookMove& move : position.moves) {
      has_professionals_ = has_professionals_ || move.counts[1].games > 0;
    }
    return absl::OkStatus();
  }));
  has_base_ = true;
  return path;
}

absl::StatusOr<std::string> Laboratory::TypeBook(const std::string& type) {
  ASSIGN_OR_RETURN(const std::string base, BaseBook());
  const book::BookType how = *book::BookTypeOf(type);
  const std::string path = PathOf(type + ".sqlite");
  RETURN_IF_ERROR(MakeOnce(path, [&](const std::string& name) -> absl::Status {
    // Closed, and so of one file.
    std::error_code error;
    std::filesystem::copy_file(base, name, error);
    if (error) return FileProblem(error.value(), name, "a folder that can be written");
    ASSIGN_OR_RETURN(const auto store, book::Store::Open(name, book::OpenMode::kReadWrite));
    const auto weigh = [&](const book::BookMove& move) {
      return book::BaseWeight(
          how, {.professional = CountsOf(move.counts[1]), .other = CountsOf(move.counts[0])});
    };
    return book::BookStore(*store).Weigh(weigh).status();
  }));
  return path;
}

absl::StatusOr<bool> Laboratory::IsDone(const std::string& database) const {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(database, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::vector<coordinator::RunRow> runs,
                   coordinator::RunStore(*store).ReadRuns());
  if (runs.empty()) return false;
  if (runs.front().state == "done") return true;
  if (runs.front().state == "running" || runs.front().state == "paused") return false;
  return MakeProblem({.code = "run_failed",
                      .file = database,
                      .found = absl::StrCat("run 1, ", runs.front().state),
                      .expected = "a run that goes to its end"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<std::string> Laboratory::TunedBook(const TunePlan& plan) {
  ASSIGN_OR_RETURN(const std::string from, TypeBook(plan.from));
  const std::string path = PathOf(plan.file + ".sqlite");
  RETURN_IF_ERROR(MakeOnce(path, [&](const std::string& name) -> absl::Status {
    std::error_code error;
    std::filesystem::copy_file(from, name, error);
    return error ? FileProblem(error.value(), name, "a folder that can be written")
                 : absl::OkStatus();
  }));
  ASSIGN_OR_RETURN(const bool done, IsDone(path));
  if (done) return path;
  if (arguments_.show) return absl::CancelledError("its tuning is not done");
  RETURN_IF_ERROR(CheckInterrupted());
  TuneArguments tune;
  tune.book = path;
  tune.slots_per_worker = arguments_.concurrency;
  tune.proof.percent = 0;  // the matches of the experiment are it
  tune.spec.run.name = plan.file;
  tune.spec.run.games = plan.games;
  tune.spec.policy = plan.policy;
  for (const auto& [name, value] : plan.options) {
    tune.spec.policy_options.push_back(absl::StrCat(name, "=", value));
  }
  tune.spec.run.play.nodes = arguments_.nodes;
  tune.spec.run.play.match.max_plies = static_cast<int>(arguments_.max_plies);
  tune.spec.run.deviation = kDeviation;
  tune.spec.seed = SeedOf(arguments_.seed, plan.file);
  tune.spec.run.verify_percent = 0;
  tune.spec.priors = plan.priors;
  ASSIGN_OR_RETURN(const coordinator::RunSpec spec, SpecOf(tune.spec));
  context_.err() << "tuning " << path << "\n";
  ASSIGN_OR_RETURN(const TuneReport report, TuneBook(tune, spec, signals_, context_));
  interrupted_ = interrupted_ || report.interrupted;
  ASSIGN_OR_RETURN(const bool now_done, IsDone(path));
  if (now_done) return path;
  return absl::CancelledError("interrupted");
}

absl::StatusOr<coordinator::ExportBook::Position> Laboratory::StartOf(const std::string& tuned,
                                                                      int stages) {
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(tuned, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(coordinator::LoadedRun played,
                   stages > 0 ? coordinator::LoadRunAfterStages(*store, rules(), 1, stages)
                              : coordinator::LoadRun(*store, rules(), 1));
  ASSIGN_OR_RETURN(const book::NodeId start,
                   coordinator::StartNode(rules(), *played.graph, played.row.spec));
  ASSIGN_OR_RETURN(const coordinator::TunedRun run,
                   coordinator::WithMarks(*store, std::move(played)));
  return coordinator::ExportOfPosition(run, start);
}

absl::StatusOr<PlayedMatch> Laboratory::Play(const std::string& name, const PlayableBook& a,
                                             const PlayableBook& b) {
  RETURN_IF_ERROR(CheckInterrupted());
  MatchArguments match;
  match.engines = arguments_.engines;
  match.pairs = arguments_.pairs;
  match.play.nodes = arguments_.nodes;
  match.play.match.max_plies = static_cast<int>(arguments_.max_plies);
  match.deviation = kDeviation;
  match.seed = SeedOf(arguments_.seed, name);
  match.range = 0;
  for (const auto& [i, book] : {std::pair(0, &a), std::pair(1, &b)}) {
    match.sides[i] = book->name.empty() ? arguments_.opponent : book->name + "@embedded";
    match.side_choice[i] = book->ties_by_chance || book->range ? "range" : "answer";
    if (book->range) match.range = *book->range;
  }
  PlayedMatch played;
  ASSIGN_OR_RETURN(played.settings, MatchOf(match, 0, rules()));
  const MatchSide& of_a = played.settings.sides[0];
  const MatchSide& of_b = played.settings.sides[1];
  const std::string key =
      absl::StrCat(of_a.book_sha256, " ", match.side_choice[0], " ", of_b.book_sha256, " ",
                   match.side_choice[1], " ", match.range, " ", of_b.play.engine_id);
  if (const auto known = played_.find(key); known != played_.end()) {
    played = known->second.match;
    played.same_as = known->second.label;
    return played;
  }
  played.file = PathOf(absl::StrCat("match-", name, ".jsonl"));
  if (arguments_.show && !Exists(played.file)) return played;
  ASSIGN_OR_RETURN(const auto file, MatchFile::Open(played.file, SettingsJson(played.settings),
                                                    played.settings.seed, rules()));
  played.settings.seed = file->seed();
  if (arguments_.show) {
    uint32_t& pairs = played.settings.series.pairs;
    pairs = 0;
    for (const MatchGame& game : file->games()) pairs = std::max(pairs, game.game.pair + 1);
  }
  played.series = book::Series(played.settings.series);
  if (arguments_.show) {
    for (const MatchGame& game : file->games()) played.series.Done(game.game, game.outcome);
    played_.emplace(key, Known{a.label, played});
    return played;
  }
  Progress progress(context_.err(), Clock::System(), Progress::ForStandardError());
  const int concurrency =
      arguments_.concurrency > 0 ? arguments_.concurrency : worker::UsableCores();
  ASSIGN_OR_RETURN(const MatchRun run,
                   RunMatch(rules(), played.settings, concurrency, *file, played.series, [&] {
                     progress.Update("match " + name, played.series.pairs_played(),
                                     played.settings.series.pairs,
                                     MatchLine(played.series, played.settings.series));
                     return signals_.Wait(absl::ZeroDuration());
                   }));
  if (played.series.pairs_played() > run.pairs_before || run.interrupted) {
    Json summary;
    summary["summary"] = MatchJson(played.settings, played.series);
    RETURN_IF_ERROR(file->Append({summary}));
  }
  interrupted_ = interrupted_ || run.interrupted;
  played_.emplace(key, Known{a.label, played});
  return played;
}

}  // namespace joseki::cli
