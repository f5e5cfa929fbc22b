#include "cli/match/cluster.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_book.h"

namespace joseki::cli {
namespace {

using book::Side;
using State = book::Series::State;

constexpr uint32_t kPage = 1000;
constexpr std::string_view kVoidReason = "the match is void";  // the reason of the run's end
constexpr absl::Duration kBetweenLooks = absl::Milliseconds(300);

// Stores the side's book at the coordinator; returns its hash, empty without a book.
absl::StatusOr<std::string> Ship(const Rules& rules, const MatchSide& side, Cluster& cluster) {
  if (side.book == nullptr) return std::string();
  ASSIGN_OR_RETURN(const book::Graph shipped, book::ShippedBook(rules, *side.book));
  return cluster.PutBook(shipped.Serialize());
}

absl::StatusOr<coordinator::RunSpec> SpecOf(const Rules& rules, const MatchSettings& settings,
                                            Cluster& cluster) {
  if (!settings.starts.name.empty()) {
    return MakeProblem({.code = "usage",
                        .file = "--starts",
                        .found = "with a coordinator",
                        .expected = "a match of this machine: on a cluster pairs begin at the "
                                    "start position"});
  }
  const MatchSide& a = settings.sides[Index(Side::kA)];
  const MatchSide& b = settings.sides[Index(Side::kB)];
  coordinator::RunSpec spec;
  spec.name = "match";
  spec.policy = "sample-average";  // without effect: the match has no book to tune
  spec.seed = settings.seed;
  spec.match = coordinator::MatchSpec{settings.series.pairs, settings.series.sprt};
  coordinator::PlaySpec& play = spec.play;
  play.game = rules.game();
  play.engine_id = a.play.engine_id;
  play.engine_signature = a.play.engine_signature;
  play.engine_options = a.play.engine_options;
  play.nodes = a.play.nodes;
  play.move_ms = a.play.move_ms;
  play.jitter_percent = a.play.jitter_percent;
  play.match = a.play.match;
  play.resign = a.play.resign;
  play.keep_scores = a.play.resign.below > 0;
  play.weights_sha256 = a.play.weights_sha256;
  ASSIGN_OR_RETURN(const std::string own, Ship(rules, a, cluster));
  if (!own.empty()) play.own_book = coordinator::BookUse{own, a.rules};
  coordinator::Opponent opponent;
  opponent.engine_id = b.play.engine_id;
  opponent.engine_signature = b.play.engine_signature;
  opponent.engine_options = b.play.engine_options;
  opponent.nodes = b.play.nodes;
  opponent.move_ms = b.play.move_ms;
  opponent.weights_sha256 = b.play.weights_sha256;
  ASSIGN_OR_RETURN(opponent.book, Ship(rules, b, cluster));
  if (!opponent.book.empty()) opponent.rules = b.rules;
  play.opponent = std::move(opponent);
  return spec;
}

// The request id, equal for equal matches, so that a match is created once.
std::string RequestOf(const MatchSettings& settings) {
  std::string name =
      absl::StrCat(SettingsJson(settings).dump(), " ", settings.seed, " ", settings.series.pairs);
  if (const auto& sprt = settings.series.sprt) {
    absl::StrAppend(&name, " ", sprt->elo0, " ", sprt->elo1, " ", sprt->alpha, " ", sprt->beta, " ",
                    static_cast<int>(sprt->model));
  }
  return "match-" + Hex(Sha256Of(name)).substr(0, 32);
}

// A listed game in the form of the match file.
absl::StatusOr<MatchGame> GameOf(const ListedGame& listed, const Rules& rules) {
  MatchGame game;
  const bool a_first = listed.own == Color::kFirst;
  game.game = {listed.pair, listed.attempt, a_first};
  game.start.position = listed.start;
  for (const std::string& word :
       std::vector<std::string>(absl::StrSplit(listed.moves, ' ', absl::SkipEmpty()))) {
    const std::optional<Move> move = rules.MoveOf(word);
    if (!move) {
      return MakeProblem({.code = "bad_game", .found = Quote(word), .expected = "a move"},
                         absl::StatusCode::kInternal);
    }
    game.moves.push_back(*move);
  }
  book::SeriesOutcome& outcome = game.outcome;
  outcome.fault = listed.fault;
  outcome.ending = listed.ending;
  // The player that was asked when a fault ended the game is the side to move; games begin with the
  // first side.
  const bool first_moves = game.moves.size() % 2 == 0;
  outcome.at_fault = first_moves == a_first ? Side::kA : Side::kB;
  outcome.moves_hash = HashOf(game.start, game.moves);
  outcome.plies = static_cast<uint32_t>(game.moves.size());
  outcome.used = listed.used;
  outcome.worker = listed.worker;
  return game;
}

// The games of a match, read from the coordinator.
class Listing {
 public:
  Listing(const Rules& rules, Cluster& cluster, coordinator::RunId run)
      : rules_(rules), cluster_(cluster), run_(run) {}

  // Reads the run's state and the games since the last call. True if games were taken out in
  // between: games() then starts from the beginning. After an error the next call goes on.
  absl::StatusOr<bool> Look() {
    // Read the state before the games: a run that is done then has all of its games listed.
    ASSIGN_OR_RETURN(const coordinator::ClusterStatus status, cluster_.GetStatus(run_));
    if (status.runs.empty()) return absl::NotFoundError(absl::StrCat("run ", run_, " is gone"));
    state_ = status.runs.front().state;
    reason_ = status.runs.front().reason;
    if (status.runs.front().games_excluded != excluded_) {
      excluded_ = status.runs.front().games_excluded;
      others_ = true;
      after_ = 0;
      games_.clear();
    }
    for (uint32_t listed = kPage; listed == kPage;) {
      listed = 0;
      absl::Status bad;
      RETURN_IF_ERROR(cluster_.ListGames(run_, after_, kPage, [&](const ListedGame& row) {
        ++listed;
        after_ = row.commit_seq;
        if (row.excluded) return;
        absl::StatusOr<MatchGame> game = GameOf(row, rules_);
        if (game.ok()) {
          games_.push_back(*std::move(game));
        } else {
          bad.Update(game.status());
        }
      }));
      RETURN_IF_ERROR(bad);
    }
    return std::exchange(others_, false);
  }

  const std::string& state() const { return state_; }
  const std::string& reason() const { return reason_; }
  const std::vector<MatchGame>& games() const { return games_; }

 private:
  const Rules& rules_;
  Cluster& cluster_;
  const coordinator::RunId run_;
  std::string state_;
  std::string reason_;
  std::vector<MatchGame> games_;
  uint64_t after_ = 0;
  uint64_t excluded_ = 0;
  bool others_ = false;  // games were taken out, and no call has said so yet
};

// Appends the games that the file does not have.
absl::Status Keep(const Rules& rules, const std::vector<MatchGame>& games, MatchFile& file) {
  std::map<book::SeriesGame, uint64_t> kept;
  for (const MatchGame& game : file.games()) kept[game.game] = game.outcome.moves_hash;
  std::set<book::SeriesGame> seen;
  std::vector<Json> lines;
  for (const MatchGame& game : games) {
    if (!seen.insert(game.game).second) continue;  // the first of two counts
    const auto at = kept.find(game.game);
    if (at == kept.end()) {
      lines.push_back(MatchGameJson(game, rules));
    } else if (at->second != game.outcome.moves_hash) {
      return MakeProblem({.code = "other_match",
                          .file = file.path(),
                          .found = absl::StrCat("another game of pair ", game.game.pair,
                                                " than the cluster played"),
                          .expected = "a file without games, or with those of this match"},
                         absl::StatusCode::kFailedPrecondition);
    }
  }
  return lines.empty() ? absl::OkStatus() : file.Append(lines);
}

}  // namespace

absl::StatusOr<MatchRun> RunMatchOnCluster(const Rules& rules, const MatchSettings& settings,
                                           Cluster& cluster, MatchFile& file, book::Series& series,
                                           const std::function<bool()>& look,
                                           const std::function<void(const absl::Status&)>& heard) {
  for (const MatchGame& game : file.games()) series.Done(game.game, game.outcome);
  MatchRun run;
  run.pairs_before = series.pairs_played();
  const absl::Time began = absl::Now();
  if (series.state() != State::kPlaying) return run;
  ASSIGN_OR_RETURN(const coordinator::RunSpec spec, SpecOf(rules, settings, cluster));
  ASSIGN_OR_RETURN(const Cluster::CreatedRun created, cluster.CreateRun(spec, RequestOf(settings)));
  run.run = created.run;
  Listing listing(rules, cluster, created.run);
  series = book::Series(settings.series);  // counts the run's games alone
  bool gone = false;
  for (size_t counted = 0;;) {
    const absl::StatusOr<bool> others = listing.Look();
    if (!others.ok() && !IsGone(others.status())) return others.status();
    if (std::exchange(gone, !others.ok()) != gone && heard) heard(others.status());
    if (gone) {
      run.interrupted = look();
      if (run.interrupted) break;
      absl::SleepFor(kBetweenLooks);
      continue;
    }
    if (*others) {
      series = book::Series(settings.series);
      counted = 0;
    }
    for (; counted < listing.games().size(); ++counted) {
      const MatchGame& game = listing.games()[counted];
      series.Done(game.game, game.outcome);
    }
    const bool ended = listing.state() != "running" && listing.state() != "paused";
    // The run may be void for a reason that no game shows: one worker was left, and it caused the
    // faults.
    if (ended && listing.reason() == kVoidReason) series.EndAsVoid();
    // Wait for the end of the run as well: copies still in play may take a worker's games out.
    const bool over = series.state() != State::kPlaying;
    const bool told = look();
    run.interrupted = told && !over;
    if (told || (over && ended)) break;
    if (ended) {
      return MakeProblem({.code = "run_state",
                          .found = absl::StrCat("run ", created.run, ", which is ", listing.state(),
                                                " after ", series.pairs_played(), " pairs"),
                          .expected = "a match that goes on; another --seed begins another one"},
                         absl::StatusCode::kFailedPrecondition);
    }
    absl::SleepFor(kBetweenLooks);
  }
  if (!run.interrupted) RETURN_IF_ERROR(Keep(rules, listing.games(), file));
  run.time = absl::Now() - began;
  return run;
}

}  // namespace joseki::cli
