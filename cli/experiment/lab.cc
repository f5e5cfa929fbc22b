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
#include "cli/experiment/judging.h"
#include "cli/match/file.h"
#include "cli/match/lines.h"
#include "cli/match/options.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "cli/open_book.h"
#include "cli/progress.h"
#include "cli/run/tune.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/offline/stage_book.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "worker/play/cores.h"

namespace joseki::cli {
namespace {

constexpr double kDeviation = 0.008;
// The cache of loaded books; a book takes some megabytes.
constexpr size_t kMostRemembered = 40;

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// FailedPrecondition if the run, which is done, has not come to the end of its stages: the
// experiments show books of all of them.
absl::Status CheckStages(const std::string& database, const coordinator::RunRow& run) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const book::Policy> policy,
                   coordinator::PolicyOf(run.spec));
  const size_t stages = policy->stages().size();
  if (static_cast<size_t>(run.stage) >= stages) return absl::OkStatus();
  return MakeProblem(
      {.code = "too_many_draws",
       .file = database,
       .found = absl::StrCat("a run whose ", run.spec.games, " games ended in stage ",
                             run.stage + 1, " of ", stages, ": a stage needs games that are won"),
       .expected = "fewer games that are drawn, by a larger --max-plies or more --nodes, in "
                   "another --folder"},
      absl::StatusCode::kFailedPrecondition);
}

book::PlayedCounts CountsOf(const book::MoveCounts& counts) {
  return {counts.games, counts.wins, counts.draws, counts.losses};
}

// The hash of a file, or of the files that a folder gives to an import.
absl::StatusOr<Sha256> HashOfSource(const std::string& source) {
  ASSIGN_OR_RETURN(const std::vector<std::string> files, book::ListImportFiles({source}));
  if (files == std::vector{source}) return HashOfFile(source);
  std::string hashes;
  for (const std::string& file : files) {
    ASSIGN_OR_RETURN(const Sha256 hash, HashOfFile(file));
    hashes += Hex(hash);
  }
  return Sha256Of(hashes);
}

book::Series SeriesOf(const std::vector<MatchGame>& games, const book::SeriesRules& rules) {
  book::Series series(rules);
  for (const MatchGame& game : games) series.Done(game.game, game.outcome);
  return series;
}

}  // namespace

std::string PlayedMatch::left_out() const {
  if (series.state() == book::Series::State::kVoid) {
    return absl::StrCat("void: ", series.voids(), series.voids() == 1 ? " pair" : " pairs",
                        " with faults");
  }
  const bool exhausted = series.state() == book::Series::State::kExhausted;
  return exhausted && series.tally().pentanomial.count() == 0 ? "no new games" : "";
}

absl::Status CheckNotVoid(const PlayedMatch& match) {
  if (match.series.state() != book::Series::State::kVoid) return absl::OkStatus();
  std::string faults;
  for (const book::Side side : {book::Side::kA, book::Side::kB}) {
    if (match.series.faults(side).empty()) continue;
    absl::StrAppend(&faults, faults.empty() ? "" : "; ",
                    match.settings.sides[Index(side)].play.engine_id, ": ",
                    match.series.last_fault(side));
  }
  return MakeProblem({.code = "void_match",
                      .file = match.file,
                      .found = absl::StrCat("a match that is ", match.left_out(),
                                            faults.empty() ? "" : ", the last of ", faults),
                      .expected = "engines that end their games; remove the file to play it again"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<std::unique_ptr<Laboratory>> Laboratory::Open(const ExperimentArguments& arguments,
                                                             Context& context) {
  std::unique_ptr<Laboratory> lab(new Laboratory(arguments, context));
  if (!arguments.show) {
    std::error_code error;
    std::filesystem::create_directories(arguments.folder, error);
    if (error) return FileProblem(error.value(), arguments.folder, "a folder that can be written");
    ASSIGN_OR_RETURN(FolderLock lock, FolderLock::Take(arguments.folder));
    lab->lock_.emplace(std::move(lock));
  }
  RETURN_IF_ERROR(lab->CheckSettings());
  return lab;
}

// Compares the settings that all books and matches of the folder share with those written with its
// base book.
absl::Status Laboratory::CheckSettings() {
  Json settings;
  settings["schema"] = 1;
  settings["game"] = context_.rules().game();
  settings["sources"] = Json::array();
  for (const std::string& source : arguments_.sources) {
    ASSIGN_OR_RETURN(const Sha256 hash, HashOfSource(source));
    settings["sources"].push_back(Hex(hash));
  }
  settings["plies"] = arguments_.plies;
  settings["filter"] = arguments_.filter;
  settings["games"] = arguments_.games > 0 ? Json(arguments_.games) : Json();
  settings["nodes"] = arguments_.nodes;
  settings["max_plies"] = arguments_.max_plies;
  settings["seed"] = arguments_.seed;
  if (arguments_.engine != book::kEmbeddedEngine) settings["engine"] = arguments_.engine;
  const std::string path = PathOf("experiment.json");
  if (!Exists(path)) {
    if (arguments_.sources.empty()) {
      return MakeProblem({.code = "usage",
                          .file = "--source",
                          .found = "none, and nothing in " + Quote(arguments_.folder),
                          .expected = "game records, a book, or a table of counts"});
    }
    if (!arguments_.show) unwritten_settings_ = settings.dump() + "\n";
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  Json have = ParseJson<Json>(text);
  if (!have.is_object()) {
    return MakeProblem({.code = "bad_experiment",
                        .file = path,
                        .found = Quote(text),
                        .expected = "a file that `joseki experiment` has written"},
                       absl::StatusCode::kFailedPrecondition);
  }
  // The game may be left out: the folder's own applies.
  if (context_.game().empty() && have.value("game", Json()).is_string()) {
    settings["game"] = have["game"];
    RETURN_IF_ERROR(context_.UseGame(have["game"].get<std::string>()));
  }
  if (!settings.contains("engine") && have.contains("engine")) settings["engine"] = Json();
  for (const auto& [key, value] : settings.items()) {
    // The sources may be left out: the folder's books are made.
    if (key == "sources" && arguments_.sources.empty()) continue;
    // The first experiment with stages sets their number of games.
    if (key == "games" && value.is_null()) continue;
    const Json before = have.value(key, Json());
    if (value == before || (key == "games" && before.is_null())) continue;
    return MakeProblem({.code = "other_experiment",
                        .file = path,
                        .found = absl::StrCat("an experiment with ", key, " ", before.dump(),
                                              ", not ", value.dump()),
                        .expected = "the same settings to go on, or another --folder"},
                       absl::StatusCode::kFailedPrecondition);
  }
  if (arguments_.show || arguments_.games == 0 || !have.value("games", Json()).is_null()) {
    return absl::OkStatus();
  }
  have["games"] = arguments_.games;
  return WriteFileAtomically(path, have.dump() + "\n");
}

absl::Status Laboratory::WriteSettings() {
  if (!unwritten_settings_) return absl::OkStatus();
  RETURN_IF_ERROR(WriteFileAtomically(PathOf("experiment.json"), *unwritten_settings_));
  unwritten_settings_.reset();
  return absl::OkStatus();
}

absl::Status Laboratory::CheckInterrupted() {
  interrupted_ = interrupted_ || signals_.Wait(absl::ZeroDuration());
  return interrupted_ ? absl::CancelledError("interrupted") : absl::OkStatus();
}

uint64_t Laboratory::SeedOf(const std::string& what) const {
  return Hash64(absl::StrCat(arguments_.seed, " ", what)) >> 11;
}

absl::Status Laboratory::MakeOnce(
    const std::string& path, const std::function<absl::Status(const std::string& name)>& make) {
  if (Exists(path)) return absl::OkStatus();
  if (arguments_.show) return absl::CancelledError("it is not made");
  RETURN_IF_ERROR(CheckInterrupted());
  const std::string unfinished = path + ".new";
  std::error_code error;
  const auto clear = [&] {
    for (const char* const part : {"", "-wal", "-shm", ".lock"}) {
      std::filesystem::remove(unfinished + part, error);
    }
  };
  clear();
  if (const absl::Status made = make(unfinished); !made.ok()) {
    clear();
    return made;
  }
  std::filesystem::remove(unfinished + ".lock", error);
  RETURN_IF_ERROR(SyncFile(unfinished));
  return RenameFile(unfinished, path);
}

absl::Status Laboratory::Fill(const std::string& database) {
  ASSIGN_OR_RETURN(const book::NoiseFilter filter, book::ParseNoiseFilter(arguments_.filter));
  const auto tell = [this](const absl::Status& problem) {
    context_.err() << problem.message() << "\n";
  };
  ASSIGN_OR_RETURN(const auto store, OpenBook(context_, database, book::OpenMode::kCreate));
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
  const auto fill = [this](const std::string& name) -> absl::Status {
    RETURN_IF_ERROR(Fill(name));
    return WriteSettings();
  };
  RETURN_IF_ERROR(MakeOnce(path, fill));
  RETURN_IF_ERROR(WriteSettings());  // of a base book that has lost them
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
    // The copied database is closed, so that it is a single file.
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
                   coordinator::RunStore(*store).runs().ReadAll());
  if (runs.empty()) return false;
  if (runs.front().state == "done") {
    RETURN_IF_ERROR(CheckStages(database, runs.front()));
    return true;
  }
  if (runs.front().state == "running" || runs.front().state == "paused") return false;
  return MakeProblem({.code = "run_failed",
                      .file = database,
                      .found = absl::StrCat("run 1, ", runs.front().state),
                      .expected = "a run that goes to its end"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<bool> Laboratory::IsTuned(const std::string& file) const {
  const std::string path = PathOf(file + ".sqlite");
  if (!Exists(path)) return false;
  return IsDone(path);
}

absl::StatusOr<std::string> Laboratory::TunedBook(const TunePlan& plan) {
  ASSIGN_OR_RETURN(const std::string from, TypeBook(plan.from));
  SpecArguments spec;
  spec.run.games = plan.games;
  spec.policy = plan.policy;
  for (const auto& [name, value] : plan.options) {
    spec.policy_options.push_back(absl::StrCat(name, "=", value));
  }
  spec.priors = plan.priors;
  return TunedBook(plan.file, from, std::move(spec));
}

absl::StatusOr<std::string> Laboratory::TunedBook(const std::string& file, const std::string& from,
                                                  SpecArguments spec_arguments) {
  const std::string path = PathOf(file + ".sqlite");
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
  tune.seats_per_worker = arguments_.concurrency;
  tune.proof.percent = 0;  // the experiment's matches are its proof
  tune.spec = std::move(spec_arguments);
  tune.spec.run.name = file;
  tune.spec.run.play.nodes = arguments_.nodes;
  if (arguments_.engine != book::kEmbeddedEngine) {
    tune.spec.run.play.engine_id = arguments_.engine;
    tune.spec.engines = arguments_.engines;
  }
  tune.spec.run.play.match.max_plies = static_cast<int>(arguments_.max_plies);
  tune.spec.run.deviation = kDeviation;
  tune.spec.seed = SeedOf(file);
  tune.spec.run.verify_percent = 0;
  ASSIGN_OR_RETURN(const coordinator::RunSpec spec, SpecOf(tune.spec, context_.rules()));
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
  match.seed = SeedOf(name);
  match.range = 0;
  for (const auto& [i, book] : {std::pair(0, &a), std::pair(1, &b)}) {
    match.sides[i] = book->name.empty() ? arguments_.opponent : Played(book->name);
    match.side_choice[i] = book->ties_by_chance || book->range ? "range" : "answer";
    if (book->range) match.range = *book->range;
  }
  PlayedMatch played;
  ASSIGN_OR_RETURN(played.settings, SettingsOf(match));
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
  ASSIGN_OR_RETURN(played, PlayInFile(name, std::move(played.settings), /*all_pairs=*/false,
                                      /*games=*/nullptr));
  if (arguments_.show && !Exists(played.file)) return played;
  played_.emplace(key, Known{a.label, played});
  return played;
}

absl::StatusOr<MatchSettings> Laboratory::SettingsOf(const MatchArguments& match) {
  const BookLoader load = [this](const Rules& rules, const std::string& name,
                                 FileWeights weights) -> absl::StatusOr<LoadedBook> {
    const std::string key = absl::StrCat(static_cast<int>(weights), " ", name);
    const auto known = std::find_if(books_.begin(), books_.end(),
                                    [&](const Remembered& one) { return one.key == key; });
    if (known != books_.end()) {
      std::rotate(books_.begin(), known, known + 1);
      return books_.front().book;
    }
    ASSIGN_OR_RETURN(LoadedBook book, LoadBook(rules, name, weights));
    books_.push_front({key, std::move(book)});
    if (books_.size() > kMostRemembered) books_.pop_back();
    return books_.front().book;
  };
  return MatchOf(match, 0, rules(), load);
}

absl::StatusOr<PlayedMatch> Laboratory::PlayInFile(const std::string& name, MatchSettings settings,
                                                   bool all_pairs, std::vector<MatchGame>* games) {
  PlayedMatch played;
  played.settings = std::move(settings);
  played.file = PathOf(absl::StrCat("match-", name, ".jsonl"));
  if (arguments_.show && !Exists(played.file)) return played;
  const Json json = SettingsJson(played.settings);
  ASSIGN_OR_RETURN(auto file, arguments_.show ? MatchFile::OpenToRead(played.file, json, rules())
                                              : MatchFile::Open(played.file, json,
                                                                played.settings.seed, rules()));
  played.settings.seed = file->seed();
  uint32_t& pairs = played.settings.series.pairs;
  uint32_t there = 0;
  for (const MatchGame& game : file->games()) there = std::max(there, game.game.pair + 1);
  if (all_pairs || arguments_.show) pairs = std::max(pairs, there);
  played.series = book::Series(played.settings.series);
  if (arguments_.show) {
    const book::SeriesRules planned = played.settings.series;
    pairs = there;
    played.series = SeriesOf(file->games(), played.settings.series);
    // A match that is going on may have more faults than so few pairs allow, and still end well.
    if (played.series.state() == book::Series::State::kVoid) {
      played.series = SeriesOf(file->games(), planned);
    }
    if (games != nullptr) *games = file->games();
    return played;
  }
  Progress progress(context_.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const MatchRun run,
                   RunMatch(rules(), played.settings, Concurrency(), *file, played.series, [&] {
                     progress.Update("match " + name, played.series.pairs_played(),
                                     played.settings.series.pairs,
                                     MatchLine(played.series, played.settings.series));
                     return signals_.Wait(absl::ZeroDuration());
                   }));
  const bool news = played.series.pairs_played() > run.pairs_before || run.interrupted;
  RETURN_IF_ERROR(file->AppendResult(MatchJson(played.settings, played.series)));
  interrupted_ = interrupted_ || run.interrupted;
  if (games == nullptr) return played;
  if (news) {
    // Reopen the file: it reads games only when it is opened.
    file.reset();
    ASSIGN_OR_RETURN(file, MatchFile::OpenToRead(played.file, json, rules()));
  }
  *games = file->games();
  return played;
}

int Laboratory::Concurrency() const {
  return arguments_.concurrency > 0 ? arguments_.concurrency : worker::UsableCores();
}

absl::Status Laboratory::Judge(const MatchPlan& plan, const std::vector<MatchGame>& games,
                               PlannedMatch& planned) {
  if (interrupted_ || !planned.played.left_out().empty()) return absl::OkStatus();
  Judging judging;
  judging.file = PathOf(absl::StrCat("judged-", plan.name, "-", plan.judge_nodes, ".json"));
  judging.nodes = plan.judge_nodes;
  judging.threads = Concurrency();
  const MatchSide& side = planned.played.settings.sides[Index(book::Side::kA)];
  if (!arguments_.show) judging.make_player = [&] { return MakePlayer(side, rules()); };
  judging.ended = [this] { return interrupted_ = signals_.Wait(absl::ZeroDuration()); };
  const absl::StatusOr<std::vector<double>> expected = JudgeGames(rules(), games, judging);
  // Without all of its scores a match has its results alone.
  if (absl::IsCancelled(expected.status())) return absl::OkStatus();
  RETURN_IF_ERROR(expected.status());
  planned.judged = PairsByLine(planned.played.series, games, book::Side::kA, *expected);
  return absl::OkStatus();
}

absl::StatusOr<PlannedMatch> Laboratory::Play(const MatchPlan& plan) {
  RETURN_IF_ERROR(CheckInterrupted());
  // No game before the settings that it belongs to.
  RETURN_IF_ERROR(BaseBook().status());
  MatchArguments match;
  match.engines = arguments_.engines;
  match.pairs = plan.pairs;
  match.play.nodes = plan.nodes;
  match.play.match.max_plies = static_cast<int>(arguments_.max_plies);
  match.deviation = plan.deviation;
  match.seed = SeedOf(plan.name);
  for (const size_t i : {0, 1}) {
    match.sides[i] = plan.sides[i].name;
    match.side_choice[i] = plan.sides[i].choice;
    match.side_nodes[i] = plan.sides[i].nodes;
  }
  ASSIGN_OR_RETURN(MatchSettings settings, SettingsOf(match));
  for (const size_t i : {0, 1}) {
    MatchSide& side = settings.sides[i];
    side.name = plan.sides[i].label;
    if (side.book != nullptr) side.book_name = plan.sides[i].label;
  }
  PlannedMatch planned;
  std::vector<MatchGame> games;
  ASSIGN_OR_RETURN(planned.played,
                   PlayInFile(plan.name, std::move(settings), plan.all_pairs, &games));
  PlayedMatch& played = planned.played;
  for (const book::Side side : {book::Side::kA, book::Side::kB}) {
    planned.pairs[Index(side)] = PairsByLine(played.series, games, side);
  }
  if (plan.judge_nodes > 0) RETURN_IF_ERROR(Judge(plan, games, planned));
  for (MatchSide& side : played.settings.sides) side.book.reset();
  return planned;
}

}  // namespace joseki::cli
