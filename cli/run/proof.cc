#include "cli/run/proof.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/hash.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/play_fields.h"
#include "book/play_spec.h"
#include "cli/cluster/online.h"
#include "cli/match/book.h"
#include "cli/match/cluster.h"
#include "cli/match/file.h"
#include "cli/match/options.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "proto/limits.h"
#include "worker/play/cores.h"

namespace joseki::cli {
namespace {

using State = book::Series::State;

constexpr uint64_t kVerifyTimes = 10;

struct Opponent {
  const char* label;  // part of the file's name
  const char* book;   // suffix behind FILE#RUN; null: no book
  const char* choice;
  const char* own = "";   // suffix of our own book behind FILE#RUN
  bool measures = false;  // the run's own opponent
};

// The opponents of every proof. The input book plays by its weights, so that the tuned book meets
// many of its lines. A book must also beat the engine without a book. Counts alone are the book of
// a user who knows nothing else.
constexpr Opponent kOpponents[] = {
    {"input", ":input", "share"}, {"bookless", nullptr, ""}, {"frequency", ":frequency", "answer"}};

// The run's opponent, if it is not the run's own book: against the tuned book, and against the
// input book.
constexpr Opponent kOfTheRun[] = {{"opponent", ":opponent", "", "", true},
                                  {"opponent-input", ":opponent", "", ":input", true}};

// Makes the run's opponent side B of the match.
void SetOpponent(const std::string& name, const coordinator::Opponent& opponent,
                 MatchArguments& match) {
  match.sides[1] =
      absl::StrCat(opponent.book.empty() ? "none" : name + ":opponent", "@", opponent.engine_id);
  if (opponent.move_ms > 0) {
    match.side_move_ms[1] = opponent.move_ms;
  } else {
    match.side_nodes[1] = opponent.nodes;
  }
  for (const auto& [option, value] : opponent.engine_options) {
    match.set.push_back({"B", absl::StrCat(option, "=", value)});
  }
  match.side_choice[1] = NameIn(book::kChoiceNames, opponent.rules.choice);
  match.range = opponent.rules.range;
}

// The match as command-line arguments.
MatchArguments ArgumentsOf(const std::string& book, const TunedRun& run, const Opponent& opponent,
                           const std::string& engines, const std::string& sprt) {
  const coordinator::PlaySpec& play = run.spec.play;
  MatchArguments match;
  const std::string name = absl::StrCat(book, "#", run.run);
  match.sides[0] = absl::StrCat(name, opponent.own, "@", play.engine_id);
  match.sides[1] =
      absl::StrCat(opponent.book == nullptr ? "none" : name + opponent.book, "@", play.engine_id);
  match.engines = engines;
  match.pairs = 1;
  match.play.nodes = std::max<uint64_t>(1, play.nodes);
  match.play.move_ms = play.move_ms;
  match.play.jitter_percent = play.jitter_percent;
  match.play.match = play.match;
  match.play.resign = play.resign;
  for (const auto& [option, value] : play.engine_options) {
    match.set.push_back({"A", absl::StrCat(option, "=", value)});
    if (!opponent.measures) match.set.push_back({"B", absl::StrCat(option, "=", value)});
  }
  match.choice = "answer";
  match.side_choice[1] = opponent.choice;
  if (opponent.measures) SetOpponent(name, *play.opponent, match);
  match.deviation = run.spec.deviation;
  match.max_book_plies = run.spec.max_book_plies;
  if (!opponent.measures) match.sprt = sprt;
  return match;
}

bool SameAnswers(const MatchSettings& settings) {
  const MatchSide& other = settings.sides[1];
  return other.book != nullptr && other.rules.choice == book::PlayRules::Choice::kAnswer &&
         settings.sides[0].book->answers == other.book->answers;
}

// Names the two books: a proof of other answers, or against other ones, is another proof.
std::string HashOf(const MatchSettings& settings) {
  std::string books;
  for (const MatchSide& side : settings.sides) absl::StrAppend(&books, side.book_sha256, " ");
  return Hex(Sha256Of(books)).substr(0, 8);
}

// The planned matches, the most telling first; none is played yet.
absl::StatusOr<std::vector<ProofMatch>> MatchesOf(const Rules& rules, const std::string& book,
                                                  const TunedRun& run,
                                                  const ProofArguments& arguments,
                                                  const std::string& engines,
                                                  const std::string& folder, uint64_t fresh_seed) {
  const coordinator::PlaySpec& play = run.spec.play;
  const uint64_t limit = std::max<uint64_t>(1, play.move_ms > 0 ? play.move_ms : play.nodes);
  const auto make = [&](const Opponent& opponent) -> absl::StatusOr<ProofMatch> {
    ProofMatch match;
    ASSIGN_OR_RETURN(match.settings,
                     MatchOf(ArgumentsOf(book, run, opponent, engines, arguments.sprt), 0, rules));
    match.opponent = ProofOpponentWords(opponent.label);
    match.measures = opponent.measures;
    match.same_answers = !opponent.measures && SameAnswers(match.settings);
    return match;
  };
  std::vector<ProofMatch> matches;
  const auto add = [&](ProofMatch match, const Opponent& opponent, uint64_t at) {
    match.settings.seed = Rng(fresh_seed).Split(matches.size()).Next() >> 11;
    match.cost = std::max<uint64_t>(1, at / limit);
    match.file = absl::StrCat(folder, "/proof-", run.run, "-", HashOf(match.settings), "-",
                              opponent.label, "-", at, ".jsonl");
    matches.push_back(std::move(match));
  };
  std::vector<ProofMatch> standard;
  for (const Opponent& opponent : kOpponents) {
    ASSIGN_OR_RETURN(standard.emplace_back(), make(opponent));
  }
  add(standard[0], kOpponents[0], limit);
  if (play.opponent) {
    for (const Opponent& opponent : kOfTheRun) {
      ASSIGN_OR_RETURN(ProofMatch match, make(opponent));
      add(std::move(match), opponent, limit);
    }
  }
  for (size_t i = 1; i < standard.size(); ++i) add(standard[i], kOpponents[i], limit);
  const uint64_t verify =
      arguments.verify_nodes > 0 ? arguments.verify_nodes : kVerifyTimes * limit;
  if (verify == limit) return matches;
  for (size_t i = 0; i < standard.size(); ++i) {
    // Same books and engines as at the run's limit.
    for (MatchSide& side : standard[i].settings.sides) {
      if (play.move_ms > 0) {
        side.play.move_ms = static_cast<uint32_t>(verify);
      } else {
        side.play.nodes = verify;
      }
    }
    add(std::move(standard[i]), kOpponents[i], verify);
  }
  return matches;
}

}  // namespace

void AddProofOptions(CLI::App& command, ProofArguments& arguments) {
  command
      .add_option("--proof", arguments.percent,
                  "when the run is done the tuned book plays its input book, the engine without a "
                  "book and the input book's most frequent moves, as many games as this percentage "
                  "of the run's (a game at 10 times the limit counts 10), if so many can show 50 "
                  "Elo; 0: no proof")
      ->type_name("PERCENT")
      ->check(Within(0.0, 1000.0))
      ->capture_default_str();
  command.add_option("--proof-sprt", arguments.sprt, "bounds of the proof's tests, in Elo")
      ->type_name("ELO0,ELO1")
      ->capture_default_str();
  command
      .add_option("--verify-nodes", arguments.verify_nodes,
                  "larger limit at which the proof is played again, in nodes, or milliseconds if "
                  "the run is limited by time (default: 10 times the run's)")
      ->type_name("N")
      ->check(Within(uint64_t{1}, kMaxNodes));
  command
      .add_option("--proof-concurrency", arguments.concurrency,
                  "games of the proof at once (default: the usable cores)")
      ->type_name("K")
      ->check(Within(1, 1024));
  command
      .add_option("--proof-coordinator", arguments.coordinator.address,
                  "the workers of this coordinator play the proof's games (default: this machine)")
      ->type_name("HOST:PORT");
  AddTlsOptions(command, arguments.coordinator.tls);
}

absl::StatusOr<Proof> Prove(const Rules& rules, const std::string& book, const TunedRun& run,
                            const ProofArguments& arguments, const std::string& engines,
                            const std::string& folder, uint64_t fresh_seed,
                            const std::function<bool(const ProofMatch&)>& look) {
  Proof proof;
  proof.run = run.run;
  proof.percent = arguments.percent;
  proof.run_games = run.games;
  proof.budget =
      static_cast<uint64_t>(std::llround(arguments.percent / 100 * static_cast<double>(run.games)));
  if (proof.too_few()) return proof;
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return MakeProblem({.code = "io_error",
                        .file = folder,
                        .found = std::strerror(errno),
                        .expected = "a folder that can be made"},
                       absl::StatusCode::kInternal);
  }
  const coordinator::PlaySpec& play = run.spec.play;
  const std::string& other = play.opponent ? play.opponent->engine_id : play.engine_id;
  for (const std::string& engine : {play.engine_id, other}) {
    if (engine == book::kEmbeddedEngine || !engines.empty()) continue;
    return MakeProblem({.code = "usage",
                        .file = "--engines",
                        .found = "none",
                        .expected = absl::StrCat("the file with the run's engine ", Quote(engine),
                                                 ", or --proof 0")});
  }
  ASSIGN_OR_RETURN(proof.matches,
                   MatchesOf(rules, book, run, arguments, engines, folder, fresh_seed));
  std::unique_ptr<Cluster> cluster;
  if (!arguments.coordinator.address.empty()) cluster = Cluster::At(arguments.coordinator, rules);
  uint64_t left = proof.budget;
  for (size_t i = 0; i < proof.matches.size(); ++i) {
    ProofMatch& match = proof.matches[i];
    if (match.same_answers) continue;
    const uint64_t pairs = PairsFor(proof.matches, i, left);
    match.left_out = pairs == 0;
    match.settings.series.pairs = static_cast<uint32_t>(std::min<uint64_t>(pairs, UINT32_MAX));
    match.smallest_gain = book::SmallestGain(book::kUsualPairVariance, pairs);
    match.series = book::Series(match.settings.series);
    if (match.left_out || proof.interrupted) continue;
    ASSIGN_OR_RETURN(const auto file, MatchFile::Open(match.file, SettingsJson(match.settings),
                                                      match.settings.seed, rules));
    match.settings.seed = file->seed();
    const int concurrency =
        arguments.concurrency > 0 ? arguments.concurrency : worker::UsableCores();
    const auto look_at = [&] { return look(match); };
    ASSIGN_OR_RETURN(
        const MatchRun played,
        cluster != nullptr
            ? RunMatchOnCluster(rules, match.settings, *cluster, *file, match.series, look_at,
                                /*heard=*/nullptr)
            : RunMatch(rules, match.settings, concurrency, *file, match.series, look_at));
    RETURN_IF_ERROR(file->AppendResult(MatchJson(match.settings, match.series)));
    proof.interrupted = played.interrupted;
    left -= std::min(left, 2 * match.cost * (match.series.pairs_played() + match.series.voids()));
  }
  return proof;
}

}  // namespace joseki::cli
