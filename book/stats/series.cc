#include "book/stats/series.h"

#include <algorithm>

#include "base/rng.h"

namespace joseki::book {
namespace {

// From this many faults on, so large a share cannot be chance, whatever the remaining games bring.
constexpr uint32_t kHopelessFaults = 10;
constexpr uint32_t kHopelessShare = 10;  // one fault in this many games
// A worker is to blame if its share of faults exceeds that of the others by this factor.
constexpr uint64_t kBlamed = 4;

// Labels of the random streams of the match's seed.
constexpr uint64_t kGames = 1;

int Place(bool a_first) { return a_first ? 0 : 1; }

// A's score in half points.
int PointsOf(const Ending& ending, bool a_first) {
  if (ending.result == Result::kDraw) return 1;
  return (ending.result == Result::kFirstWins) == a_first ? 2 : 0;
}

void Add(SeriesTally::Results& results, int points) {
  if (points == 2) ++results.wins;
  if (points == 1) ++results.draws;
  if (points == 0) ++results.losses;
}

}  // namespace

uint64_t SeedOf(uint64_t match_seed, const SeriesGame& game) {
  return Rng(match_seed).Split(kGames).Split(game.pair).Split(game.attempt).Next();
}

SideUse& SideUse::operator+=(const SideUse& other) {
  moves += other.moves;
  book_moves += other.book_moves;
  nodes += other.nodes;
  micros += other.micros;
  return *this;
}

SeriesTally::Results SeriesTally::total() const {
  return {results[0].wins + results[1].wins, results[0].draws + results[1].draws,
          results[0].losses + results[1].losses};
}

std::optional<SeriesGame> Series::Next() {
  if (state_ != State::kPlaying) return std::nullopt;
  for (auto& [number, pair] : open_) {
    for (const bool a_first : {true, false}) {
      if (pair.out[Place(a_first)] || pair.played[Place(a_first)]) continue;
      pair.out[Place(a_first)] = true;
      return SeriesGame{number, pair.attempt, a_first};
    }
  }
  if (next_pair_ >= rules_.pairs) return std::nullopt;
  const uint32_t number = next_pair_++;
  open_[number].out[Place(true)] = true;
  return SeriesGame{number, 0, true};
}

uint64_t Series::Available() const {
  if (state_ != State::kPlaying) return 0;
  uint64_t games = uint64_t{2} * (rules_.pairs - next_pair_);
  for (const auto& [number, pair] : open_) {
    for (const int place : {0, 1}) games += !pair.out[place] && !pair.played[place];
  }
  return games;
}

void Series::BeginTo(uint32_t pair) {
  for (; next_pair_ <= pair; ++next_pair_) open_.try_emplace(next_pair_);
}

void Series::Take(const SeriesGame& game) {
  if (game.pair >= rules_.pairs || game.pair < counted_) return;
  BeginTo(game.pair);
  Pair& pair = open_[game.pair];
  const int place = Place(game.a_first);
  if (pair.attempt == game.attempt && !pair.played[place]) pair.out[place] = true;
}

bool Series::Done(const SeriesGame& game, const SeriesOutcome& outcome) {
  if (outcome.ending.termination == Termination::kInterrupted) {
    GiveBack(game);  // no fault of the worker
    return false;
  }
  if (state_ != State::kPlaying || game.pair >= rules_.pairs || game.pair < counted_) return false;
  // A game from before a restart: all pairs before it have been begun too.
  BeginTo(game.pair);
  Pair& pair = open_[game.pair];
  const int place = Place(game.a_first);
  if (game.attempt > pair.attempt) BeginAgain(pair, game.attempt);
  if (game.attempt != pair.attempt || pair.played[place]) return false;
  pair.out[place] = false;
  Brought(outcome.worker, IsFault(outcome.ending.termination));
  if (IsFault(outcome.ending.termination)) {
    ++faults_[Index(outcome.at_fault)][outcome.ending.termination];
    last_faults_[Index(outcome.at_fault)] = outcome.fault;
    BeginAgain(pair, pair.attempt + 1);
  } else {
    pair.played[place] = outcome;
    CountComplete();
  }
  Judge();
  return true;
}

void Series::GiveBack(const SeriesGame& game) {
  const auto at = open_.find(game.pair);
  if (at == open_.end() || at->second.attempt != game.attempt) return;
  at->second.out[Place(game.a_first)] = false;
}

void Series::Void(const SeriesGame& game, const std::string& worker) {
  const auto at = open_.find(game.pair);
  if (state_ != State::kPlaying || at == open_.end() || at->second.attempt != game.attempt) return;
  Brought(worker, /*fault=*/true);
  BeginAgain(at->second, game.attempt + 1);
  Judge();
}

void Series::EndAsVoid() {
  if (state_ == State::kPlaying) state_ = State::kVoid;
}

void Series::BeginAgain(Pair& pair, uint32_t attempt) {
  voids_ += attempt - pair.attempt;
  pair = Pair{};
  pair.attempt = attempt;
}

double Series::llr() const {
  return rules_.sprt ? LogLikelihoodRatio(tally_.pentanomial, *rules_.sprt) : 0;
}

void Series::CountComplete() {
  while (state_ == State::kPlaying && !open_.empty()) {
    const auto first = open_.begin();
    const Pair& pair = first->second;
    if (first->first != counted_ || !pair.played[0] || !pair.played[1]) return;
    Count(counted_, pair);
    ++counted_;
    open_.erase(first);
    if (repeats_in_a_row_ >= kMostRepeats) state_ = State::kExhausted;
    if (!rules_.sprt) continue;
    const double ratio = llr();
    if (ratio >= rules_.sprt->upper()) state_ = State::kAccepted;
    if (ratio <= rules_.sprt->lower()) state_ = State::kRejected;
  }
}

void Series::Count(uint32_t number, const Pair& pair) {
  for (const bool a_first : {true, false}) {
    if (seen_.contains({pair.played[Place(a_first)]->moves_hash, a_first})) {
      ++tally_.repeats;
      ++repeats_in_a_row_;
      return;
    }
  }
  repeats_in_a_row_ = 0;
  CountedPair counted{number, pair.attempt, {}};
  int points = 0;
  for (const bool a_first : {true, false}) {
    const SeriesOutcome& outcome = *pair.played[Place(a_first)];
    seen_.insert({outcome.moves_hash, a_first});
    const int won = PointsOf(outcome.ending, a_first);
    points += won;
    counted.points[Place(a_first)] = static_cast<uint8_t>(won);
    Add(tally_.results[Place(a_first)], won);
    ++tally_.terminations[outcome.ending.termination];
    tally_.plies += outcome.plies;
    for (int side = 0; side < 2; ++side) tally_.used[side] += outcome.used[side];
  }
  ++tally_.pentanomial.pairs[points];
  pairs_.push_back(counted);
}

void Series::Brought(const std::string& worker, bool fault) {
  for (Share* const share : {&workers_[worker], &all_}) {
    ++share->games;
    share->faults += fault ? 1 : 0;
  }
  if (!worker.empty() && (worst_.empty() || workers_[worker].faults > workers_[worst_].faults)) {
    worst_ = worker;
  }
}

uint32_t Series::JudgedVoids(bool over) const {
  if (worst_.empty()) return all_.faults;
  const Share& worst = workers_.at(worst_);
  const Share others{all_.games - worst.games, all_.faults - worst.faults};
  if (others.games == 0) return over ? all_.faults : 0;
  if (worst.faults * others.games <= kBlamed * others.faults * worst.games) return all_.faults;
  return others.faults + std::min(worst.faults, others.faults);
}

bool Series::AreTooMany(uint32_t voids, uint64_t pairs) const {
  return voids > 0 && 100.0 * voids > rules_.void_percent * static_cast<double>(pairs + voids);
}

bool Series::IsHopeless(uint32_t voids) const {
  return AreTooMany(voids, rules_.pairs) ||
         (voids >= kHopelessFaults && kHopelessShare * voids > counted_ + voids);
}

void Series::Judge() {
  const bool over = state_ != State::kPlaying || counted_ >= rules_.pairs;
  const uint32_t voids = JudgedVoids(over);
  if (IsHopeless(voids) || (over && AreTooMany(voids, counted_))) {
    state_ = State::kVoid;
  } else if (over && state_ == State::kPlaying) {
    state_ = State::kDone;
  }
}

std::string_view Name(Series::State state) {
  switch (state) {
    case Series::State::kPlaying:
      return "playing";
    case Series::State::kDone:
      return "done";
    case Series::State::kAccepted:
      return "accepted";
    case Series::State::kRejected:
      return "rejected";
    case Series::State::kExhausted:
      return "exhausted";
    case Series::State::kVoid:
      break;
  }
  return "void";
}

}  // namespace joseki::book
