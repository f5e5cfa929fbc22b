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
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "cli/cluster/online.h"
#include "cli/match/book.h"
#include "cli/match/cluster.h"
#include "cli/match/file.h"
#include "cli/match/options.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "worker/cores.h"

namespace joseki::cli {
namespace {

using State = book::Series::State;

constexpr uint64_t kVerifyTimes = 10;

struct Opponent {
  const char* words;
  const char* book;  // behind FILE#RUN
  const char* choice;
  const char* label;      // in the file's name
  const char* own = "";   // of our own book, behind FILE#RUN
  bool measures = false;  // it is the run's own opponent
};

// The input book plays as its weights say, so that the tuned book meets many lines of it; the other
// one is what a user would have who knows nothing but counts.
constexpr Opponent kOpponents[] = {
    {"the input book, each move by its share", ":input", "share", "input"},
    {"its most frequent moves", ":frequency", "answer", "frequency"}};

// What the run was tuned against, if that was not itself: by the tuned book, and by what it was.
constexpr Opponent kOfTheRun[] = {
    {"the run's opponent", ":opponent", "", "opponent", "", true},
    {"the run's opponent, by the input book", ":opponent", "", "opponent-input", ":input", true}};

// The side that a run was tuned against.
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
  using Choice = book::PlayRules::Choice;
  match.side_choice[1] = opponent.choice == Choice::kAnswer  ? "answer"
                         : opponent.choice == Choice::kRange ? "range"
                                                             : "share";
  match.range = opponent.range;
}

// The match as a user would ask for it.
MatchArguments ArgumentsOf(const std::string& book, const TunedRun& run, const Opponent& opponent,
                           const std::string& engines, const std::string& sprt) {
  const coordinator::PlaySpec& play = run.spec.play;
  MatchArguments match;
  const std::string name = absl::StrCat(book, "#", run.run);
  match.sides[0] = absl::StrCat(name, opponent.own, "@", play.engine_id);
  match.sides[1] = absl::StrCat(name, opponent.book, "@", play.engine_id);
  match.engines = engines;
  match.pairs = 1;
  match.play.nodes = std::max<uint64_t>(1, play.nodes);
  match.play.move_ms = play.move_ms;
  match.play.jitter_percent = play.jitter_percent;
  match.play.max_plies = static_cast<uint32_t>(play.match.max_plies);
  match.play.declaration = NameOf(play.match.declaration);
  match.play.resign_below = play.resign.below;
  match.play.resign_moves = play.resign.moves;
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

std::string LimitWords(const ProofMatch& match) {
  const worker::PlaySpec& play = match.settings.sides[0].play;
  return play.move_ms > 0 ? absl::StrCat(play.move_ms, " ms") : absl::StrCat(play.nodes, " nodes");
}

// Whether the interval alone shows a gain.
bool ShowsGain(const ProofMatch& match) {
  return match.series.state() != State::kVoid &&
         (match.series.state() == State::kAccepted ||
          book::LogisticElo(match.series.tally().pentanomial).low > 0);
}

bool ShowsLoss(const ProofMatch& match) {
  return match.series.state() != State::kVoid &&
         book::LogisticElo(match.series.tally().pentanomial).high < 0;
}

std::string MatchWords(const ProofMatch& match) {
  return absl::StrCat(match.opponent, " at ", LimitWords(match));
}

}  // namespace

void AddProofOptions(CLI::App& command, ProofArguments& arguments) {
  command
      .add_option("--proof", arguments.percent,
                  "when the run is done the tuned book plays its input book and that book's most "
                  "frequent moves, as many games as this percentage of the run's (a game at 10 "
                  "times the limit counts 10); 0: no proof")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 1000.0))
      ->capture_default_str();
  command.add_option("--proof-sprt", arguments.sprt, "bounds of the proof's tests, in Elo")
      ->type_name("ELO0,ELO1")
      ->capture_default_str();
  command
      .add_option("--verify-nodes", arguments.verify_nodes,
                  "larger limit at which the proof is played again, in nodes, or milliseconds if "
                  "the run is limited by time (default: 10 times the run's)")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000'000}));
  command
      .add_option("--proof-concurrency", arguments.concurrency,
                  "games of the proof at once (default: the usable cores)")
      ->type_name("K")
      ->check(CLI::Range(1, 1024));
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
  proof.budget =
      static_cast<uint64_t>(std::llround(arguments.percent / 100 * static_cast<double>(run.games)));
  const coordinator::PlaySpec& play = run.spec.play;
  const uint64_t limit = std::max<uint64_t>(1, play.move_ms > 0 ? play.move_ms : play.nodes);
  const uint64_t verify =
      arguments.verify_nodes > 0 ? arguments.verify_nodes : kVerifyTimes * limit;
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    return MakeProblem({.code = "io_error",
                        .file = folder,
                        .found = std::strerror(errno),
                        .expected = "a folder that can be made"},
                       absl::StatusCode::kInternal);
  }
  if (proof.budget < 2) return proof;
  const std::string& other = play.opponent ? play.opponent->engine_id : play.engine_id;
  for (const std::string& engine : {play.engine_id, other}) {
    if (engine == "embedded" || !engines.empty()) continue;
    return MakeProblem({.code = "usage",
                        .file = "--engines",
                        .found = "none",
                        .expected = absl::StrCat("the file with the run's engine ", Quote(engine),
                                                 ", or --proof 0")});
  }
  std::vector<uint64_t> limits = {limit};
  if (verify != limit) limits.push_back(verify);
  for (const uint64_t at : limits) {
    for (const Opponent& opponent : kOpponents) {
      const size_t number = proof.matches.size();
      ProofMatch& next = proof.matches.emplace_back();
      if (at == limit) {
        ASSIGN_OR_RETURN(
            next.settings,
            MatchOf(ArgumentsOf(book, run, opponent, engines, arguments.sprt), 0, rules));
      } else {
        // Books and engines are those of the match before.
        next.settings = proof.matches[number - std::size(kOpponents)].settings;
        for (MatchSide& side : next.settings.sides) {
          if (play.move_ms > 0) {
            side.play.move_ms = static_cast<uint32_t>(at);
          } else {
            side.play.nodes = at;
          }
        }
      }
      next.settings.seed = Rng(fresh_seed).Split(number).Next() >> 11;
      next.opponent = opponent.words;
      next.cost = std::max<uint64_t>(1, at / limit);
      next.file = absl::StrCat(folder, "/proof-", run.run, "-",
                               next.settings.sides[0].book_sha256.substr(0, 8), "-", opponent.label,
                               "-", at, ".jsonl");
      next.same_answers = SameAnswers(next.settings);
    }
  }
  std::unique_ptr<Cluster> cluster;
  if (!arguments.coordinator.address.empty()) cluster = Cluster::At(arguments.coordinator, rules);
  if (play.opponent) {
    for (const Opponent& opponent : kOfTheRun) {
      const size_t number = proof.matches.size();
      ProofMatch& next = proof.matches.emplace_back();
      ASSIGN_OR_RETURN(
          next.settings,
          MatchOf(ArgumentsOf(book, run, opponent, engines, arguments.sprt), 0, rules));
      next.settings.seed = Rng(fresh_seed).Split(number).Next() >> 11;
      next.opponent = opponent.words;
      next.measures = true;
      next.file = absl::StrCat(folder, "/proof-", run.run, "-",
                               next.settings.sides[0].book_sha256.substr(0, 8), "-", opponent.label,
                               "-", limit, ".jsonl");
    }
  }
  uint64_t left = proof.budget;
  const auto worthwhile = [](const ProofMatch& match) { return !match.same_answers; };
  uint64_t to_play =
      static_cast<uint64_t>(std::count_if(proof.matches.begin(), proof.matches.end(), worthwhile));
  for (ProofMatch& match : proof.matches) {
    if (!worthwhile(match)) continue;
    const uint64_t pairs = left / to_play-- / match.cost / 2;
    match.settings.series.pairs = static_cast<uint32_t>(std::min<uint64_t>(pairs, UINT32_MAX));
    match.smallest_gain = book::SmallestGain(book::kUsualPairVariance, pairs);
    match.series = book::Series(match.settings.series);
    if (pairs == 0 || proof.interrupted) continue;
    ASSIGN_OR_RETURN(const auto file, MatchFile::Open(match.file, SettingsJson(match.settings),
                                                      match.settings.seed, rules));
    match.settings.seed = file->seed();
    const int concurrency =
        arguments.concurrency > 0 ? arguments.concurrency : worker::UsableCores();
    const auto look_at = [&] { return look(match); };
    ASSIGN_OR_RETURN(
        const MatchRun played,
        cluster != nullptr
            ? RunMatchOnCluster(rules, match.settings, *cluster, *file, match.series, look_at)
            : RunMatch(rules, match.settings, concurrency, *file, match.series, look_at));
    Json summary;
    summary["summary"] = MatchJson(match.settings, match.series);
    RETURN_IF_ERROR(file->Append({summary}));
    proof.interrupted = played.interrupted;
    left -= std::min(left, 2 * match.cost * (match.series.pairs_played() + match.series.voids()));
  }
  return proof;
}

std::optional<book::Estimate> GainAgainstOpponent(const Proof& proof) {
  std::vector<book::Estimate> by;  // the tuned book, its input
  for (const ProofMatch& match : proof.matches) {
    if (!match.measures) continue;
    if (match.series.state() == State::kVoid || match.series.pairs_played() == 0) {
      return std::nullopt;
    }
    by.push_back(book::LogisticElo(match.series.tally().pentanomial));
  }
  if (by.size() != 2 || !std::isfinite(by[0].value) || !std::isfinite(by[1].value)) {
    return std::nullopt;
  }
  const double gain = by[0].value - by[1].value;
  return book::Estimate{gain, gain - std::hypot(by[0].value - by[0].low, by[1].high - by[1].value),
                        gain + std::hypot(by[0].high - by[0].value, by[1].value - by[1].low)};
}

std::string ProofVerdict(const Proof& proof) {
  if (proof.matches.empty()) {
    return "Not shown: whether the tuned book is any better; its run is too short for a proof.";
  }
  std::vector<std::string> shown;
  std::vector<std::string> lost;
  std::vector<std::string> open;
  for (const ProofMatch& match : proof.matches) {
    if (match.same_answers || match.measures) continue;
    (ShowsGain(match) ? shown : ShowsLoss(match) ? lost : open).push_back(MatchWords(match));
  }
  std::string verdict;
  if (!shown.empty()) {
    verdict = absl::StrCat("Shown: the tuned book is stronger than ",
                           absl::StrJoin(shown, ", and "), ". ");
  }
  if (!lost.empty()) {
    absl::StrAppend(&verdict, "Shown: the tuned book is WEAKER than ",
                    absl::StrJoin(lost, ", and "), ". ");
  }
  if (!open.empty()) {
    absl::StrAppend(&verdict, "Not shown: whether it is stronger than ",
                    absl::StrJoin(open, ", or "), ".");
  }
  if (verdict.empty()) verdict = "Nothing to show: the tuned book plays the same moves.";
  if (const auto gain = GainAgainstOpponent(proof)) {
    const char* const shows = gain->low > 0    ? "Shown: against the run's opponent it does better"
                              : gain->high < 0 ? "Shown: against the run's opponent it does WORSE"
                                               : "Not shown: whether it does better against the "
                                                 "run's opponent";
    absl::StrAppend(&verdict, verdict.back() == ' ' ? "" : " ", shows, " than its input book, ",
                    EloText(gain->value), " Elo [", EloText(gain->low), ", ", EloText(gain->high),
                    "].");
  }
  if (verdict.back() == ' ') verdict.pop_back();
  return verdict;
}

void PrintProof(const Proof& proof, std::ostream& out) {
  out << absl::StreamFormat(
      "Proof of run %d, on %g %% of its games (%d at its limit), by games of new seeds:\n",
      proof.run, proof.percent, proof.budget);
  for (const ProofMatch& match : proof.matches) {
    const book::SeriesTally& tally = match.series.tally();
    const book::SeriesTally::Results total = tally.total();
    out << "  against " << MatchWords(match) << ": ";
    if (match.same_answers) {
      out << "it plays the same moves everywhere; nothing to play\n";
      continue;
    }
    const book::Estimate elo = book::LogisticElo(tally.pentanomial);
    if (match.series.state() == State::kVoid) {
      out << "void, " << match.series.voids() << " pairs had a fault\n";
      continue;
    }
    out << absl::StreamFormat("%d-%d-%d, Elo %s [%s, %s]", total.wins, total.draws, total.losses,
                              EloText(elo.value), EloText(elo.low), EloText(elo.high));
    if (const auto& sprt = match.settings.series.sprt) {
      out << absl::StreamFormat(", LLR %.2f of %.2f..%.2f for [%g, %g]", match.series.llr(),
                                sprt->lower(), sprt->upper(), sprt->elo0, sprt->elo1);
    }
    if (match.measures) {
      out << "\n";
      continue;
    }
    out << "\n    its share, " << match.settings.series.pairs << " pairs, could show a gain of "
        << EloText(match.smallest_gain) << " Elo or more (5 % one-sided, 80 % chance)\n";
  }
  out << ProofVerdict(proof) << "\n";
  if (proof.interrupted)
    out << "Interrupted; `joseki report` with the same options continues the proof.\n";
}

Json ProofJson(const Proof& proof) {
  Json json;
  json["run"] = proof.run;
  json["percent"] = proof.percent;
  json["budget_games"] = proof.budget;
  Json matches = Json::array();
  for (const ProofMatch& match : proof.matches) {
    Json one;
    one["opponent"] = match.opponent;
    one["nodes"] = match.settings.sides[0].play.nodes;
    one["move_ms"] = match.settings.sides[0].play.move_ms;
    one["pairs_allowed"] = match.settings.series.pairs;
    one["smallest_gain"] = std::isfinite(match.smallest_gain) ? Json(match.smallest_gain) : Json();
    const bool compares = !match.same_answers && !match.measures;
    one["same_answers"] = match.same_answers;
    one["measures"] = match.measures;
    one["shows_gain"] = compares && ShowsGain(match);
    one["shows_loss"] = compares && ShowsLoss(match);
    one["file"] = match.file;
    one["result"] = MatchJson(match.settings, match.series);
    matches.push_back(std::move(one));
  }
  json["matches"] = std::move(matches);
  json["gain_against_opponent"] = nullptr;
  if (const auto gain = GainAgainstOpponent(proof); gain && std::isfinite(gain->high - gain->low)) {
    json["gain_against_opponent"] = {
        {"elo", gain->value}, {"elo_low", gain->low}, {"elo_high", gain->high}};
  }
  json["interrupted"] = proof.interrupted;
  json["verdict"] = ProofVerdict(proof);
  return json;
}

}  // namespace joseki::cli
