#include "book/stats/series.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using State = Series::State;

SeriesOutcome Won(Color winner, uint64_t hash) {
  SeriesOutcome outcome;
  outcome.ending = {WinFor(winner), Termination::kNoLegalMove};
  outcome.moves_hash = hash;
  outcome.plies = 100;
  outcome.used[0].nodes = 7;
  return outcome;
}
SeriesOutcome Drawn(uint64_t hash) {
  SeriesOutcome outcome;
  outcome.ending = {Result::kDraw, Termination::kRepetition};
  outcome.moves_hash = hash;
  return outcome;
}
SeriesOutcome Fault(Side side, Termination termination = Termination::kCrash) {
  SeriesOutcome outcome;
  outcome.ending = {Result::kNone, termination};
  outcome.at_fault = side;
  return outcome;
}

// A is better in every game whose pair number is even; else the first mover wins.
SeriesOutcome Play(const SeriesGame& game) {
  const uint64_t hash = 1000 * game.pair + 10 * game.attempt + (game.a_first ? 1 : 2);
  if (game.pair % 2 == 0) return Won(game.a_first ? Color::kFirst : Color::kSecond, hash);
  return Won(Color::kFirst, hash);
}

TEST(SeriesTest, PlaysPairsAndCountsThem) {
  Series series({.pairs = 3});
  std::vector<SeriesGame> games;
  while (const auto game = series.Next()) {
    games.push_back(*game);
    EXPECT_TRUE(series.Done(*game, Play(*game)));
  }
  EXPECT_THAT(
      games, ElementsAre(SeriesGame{0, 0, true}, SeriesGame{0, 0, false}, SeriesGame{1, 0, true},
                         SeriesGame{1, 0, false}, SeriesGame{2, 0, true}, SeriesGame{2, 0, false}));
  EXPECT_EQ(series.state(), State::kDone);
  const SeriesTally& tally = series.tally();
  EXPECT_THAT(tally.pentanomial.pairs, ElementsAre(0, 0, 1, 0, 2));
  EXPECT_EQ(tally.total().wins, 5u);
  EXPECT_EQ(tally.total().losses, 1u);
  EXPECT_EQ(tally.results[0].wins, 3u);
  EXPECT_EQ(tally.results[1].losses, 1u);
  EXPECT_EQ(tally.plies, 600u);
  EXPECT_EQ(tally.used[0].nodes, 42u);
  EXPECT_EQ(tally.terminations.at(Termination::kNoLegalMove), 6u);
}

TEST(SeriesTest, DrawsAreHalfPoints) {
  Series series({.pairs = 2});
  EXPECT_TRUE(series.Done({0, 0, true}, Drawn(1)));
  EXPECT_TRUE(series.Done({0, 0, false}, Won(Color::kFirst, 2)));
  EXPECT_TRUE(series.Done({1, 0, true}, Won(Color::kFirst, 3)));
  EXPECT_TRUE(series.Done({1, 0, false}, Drawn(4)));
  EXPECT_THAT(series.tally().pentanomial.pairs, ElementsAre(0, 1, 0, 1, 0));
  EXPECT_EQ(series.tally().pentanomial.score(), 0.5);
  EXPECT_EQ(series.tally().total().draws, 2u);
}

// The number of concurrent games and their order of completion do not matter: result and last pair
// of a sequential test are the same.
TEST(SeriesTest, TheOrderOfGamesDecidesNothing) {
  SeriesRules rules{.pairs = 400};
  rules.sprt = Sprt{.elo0 = 0, .elo1 = 100};
  Rng rng(3);
  std::optional<Pentanomial> first;
  for (const size_t at_once : {1u, 2u, 7u, 64u}) {
    Series series(rules);
    std::vector<SeriesGame> out;
    while (series.state() == State::kPlaying) {
      while (out.size() < at_once) {
        const auto game = series.Next();
        if (!game) break;
        out.push_back(*game);
      }
      std::swap(out[rng.Below(out.size())], out.back());
      const SeriesGame game = out.back();
      out.pop_back();
      series.Done(game, Play(game));
    }
    EXPECT_EQ(series.state(), State::kAccepted);
    EXPECT_GE(series.llr(), rules.sprt->upper());
    EXPECT_FALSE(series.Next());
    if (!first) first = series.tally().pentanomial;
    EXPECT_EQ(series.tally().pentanomial, *first) << at_once;
    // Games after the decision change nothing.
    for (const SeriesGame& late : out) EXPECT_FALSE(series.Done(late, Play(late)));
    EXPECT_EQ(series.tally().pentanomial, *first);
  }
  EXPECT_LT(first->count(), 400u);
}

TEST(SeriesTest, ATestCanReject) {
  SeriesRules rules{.pairs = 400};
  rules.sprt = Sprt{.elo0 = 0, .elo1 = 100};
  Series series(rules);
  while (const auto game = series.Next()) {
    const bool a_wins = game->pair % 4 == 0;
    series.Done(*game, Won(a_wins == game->a_first ? Color::kFirst : Color::kSecond,
                           2 * game->pair + game->a_first));
  }
  EXPECT_EQ(series.state(), State::kRejected);
}

TEST(SeriesTest, AFaultVoidsItsPairWhichIsPlayedAgain) {
  Series series({.pairs = 300});
  const auto a = series.Next();
  const auto b = series.Next();
  EXPECT_TRUE(series.Done(*a, Play(*a)));
  EXPECT_TRUE(series.Done(*b, Fault(Side::kB, Termination::kStall)));
  // The pair's two games are repeated with other random numbers.
  EXPECT_EQ(series.Next(), (SeriesGame{0, 1, true}));
  EXPECT_EQ(series.Next(), (SeriesGame{0, 1, false}));
  EXPECT_EQ(series.Next(), (SeriesGame{1, 0, true}));
  // A game of the void attempt is useless now.
  EXPECT_FALSE(series.Done(*a, Play(*a)));
  EXPECT_EQ(series.voids(), 1u);
  EXPECT_EQ(series.faults(Side::kB).at(Termination::kStall), 1u);
  EXPECT_TRUE(series.faults(Side::kA).empty());
  series.Done({0, 1, true}, Play({0, 1, true}));
  series.Done({0, 1, false}, Play({0, 1, false}));
  series.GiveBack({1, 0, true});
  while (const auto game = series.Next()) series.Done(*game, Play(*game));
  EXPECT_EQ(series.state(), State::kDone);
  EXPECT_EQ(series.tally().pentanomial.count(), 300u);
  EXPECT_EQ(series.tally().total().games(), 600u);
}

TEST(SeriesTest, MoreThanOnePercentOfFaultsVoidTheSeries) {
  // One void pair of 101 is allowed, two of 102 are not; the verdict comes as soon as it is
  // certain.
  Series two({.pairs = 100});
  EXPECT_TRUE(two.Done({0, 0, true}, Fault(Side::kA)));
  EXPECT_EQ(two.state(), State::kPlaying);
  EXPECT_TRUE(two.Done({5, 0, true}, Fault(Side::kA)));
  EXPECT_EQ(two.state(), State::kVoid);
  EXPECT_FALSE(two.Next());
  // A long series ends early if nearly all games fail.
  Series hopeless({.pairs = 1'000'000});
  int played = 0;
  while (const auto game = hopeless.Next()) {
    hopeless.Done(*game, Fault(Side::kB));
    ++played;
  }
  EXPECT_EQ(hopeless.state(), State::kVoid);
  EXPECT_EQ(played, 10);
  // A test that ends early is judged by what was played.
  SeriesRules rules{.pairs = 100'000};
  rules.sprt = Sprt{.elo0 = 0, .elo1 = 100};
  Series early(rules);
  early.Done({0, 0, true}, Fault(Side::kB));
  while (const auto game = early.Next()) early.Done(*game, Play(*game));
  EXPECT_EQ(early.state(), State::kVoid);
}

// A worker that breaks games that others can play is to blame, not the engines.
TEST(SeriesTest, OneWorkersFaultsVoidNoSeries) {
  Series series({.pairs = 100});
  const auto play = [&](const SeriesGame& game, const std::string& worker, bool breaks) {
    SeriesOutcome outcome = breaks ? Fault(Side::kA) : Play(game);
    outcome.worker = worker;
    series.Done(game, outcome);
  };
  for (int i = 0; i < 12; ++i) play(*series.Next(), "bad", true);
  // No other worker has delivered a game; only the owner can know whether there is another.
  EXPECT_EQ(series.state(), State::kPlaying);
  EXPECT_TRUE(series.IsHopeless());
  for (int i = 0; i < 40; ++i) play(*series.Next(), i % 4 == 0 ? "bad" : "good", i % 4 == 0);
  EXPECT_EQ(series.state(), State::kPlaying);
  while (const auto game = series.Next()) play(*game, "good", false);
  EXPECT_EQ(series.state(), State::kDone);
  EXPECT_EQ(series.voids(), 22u);
  EXPECT_EQ(series.tally().pentanomial.count(), 100u);
}

TEST(SeriesTest, FaultsThatComeToAllWorkersVoidASeries) {
  Series series({.pairs = 1000});
  uint64_t games = 0;
  while (const auto game = series.Next()) {
    SeriesOutcome outcome = games % 20 == 0 ? Fault(Side::kA) : Play(*game);
    outcome.worker = games % 3 == 0 ? "slow" : "fast";
    series.Done(*game, outcome);
    ++games;
  }
  EXPECT_EQ(series.state(), State::kVoid);
  EXPECT_LT(games, 1000u);
  // At the end the faults of a sole worker count too.
  Series alone({.pairs = 20});
  games = 0;
  while (const auto game = alone.Next()) {
    SeriesOutcome outcome = games++ == 3 ? Fault(Side::kA) : Play(*game);
    outcome.worker = "one";
    alone.Done(*game, outcome);
  }
  EXPECT_EQ(alone.state(), State::kVoid);
}

TEST(SeriesTest, AnInterruptedGameIsNobodysFault) {
  Series series({.pairs = 1});
  const auto game = series.Next();
  EXPECT_FALSE(series.Done(*game, Fault(Side::kA, Termination::kInterrupted)));
  EXPECT_EQ(series.voids(), 0u);
  EXPECT_EQ(series.Next(), game);
}

TEST(SeriesTest, IdenticalGamesCountOnce) {
  Series series({.pairs = 4});
  for (uint32_t pair = 0; pair < 4; ++pair) {
    // The second game of pair 1 and both of pair 2 repeat earlier games. The same moves are a
    // different game if the sides are exchanged.
    const uint64_t hash = pair == 3 ? 100 : 10;
    series.Done({pair, 0, true}, Won(Color::kFirst, pair == 1 ? 11 : hash));
    series.Done({pair, 0, false}, Won(Color::kFirst, hash));
  }
  EXPECT_EQ(series.state(), State::kDone);
  EXPECT_EQ(series.pairs_played(), 4u);
  EXPECT_EQ(series.tally().repeats, 2u);
  EXPECT_THAT(series.tally().pentanomial.pairs, ElementsAre(0, 0, 2, 0, 0));
  EXPECT_EQ(series.tally().total().games(), 4u);
}

// Deterministic engines from one start have few games to play.
TEST(SeriesTest, EndsWhereNothingNewComes) {
  Series series({.pairs = 100'000});
  uint32_t pairs = 0;
  while (const auto game = series.Next()) {
    series.Done(*game, Won(Color::kFirst, game->pair % 3));
    pairs = game->pair + 1;
  }
  EXPECT_EQ(series.state(), State::kExhausted);
  EXPECT_EQ(pairs, 3 + Series::kMostRepeats);
  EXPECT_EQ(series.tally().pentanomial.count(), 3u);
  EXPECT_EQ(Name(series.state()), "exhausted");
}

// The games that a killed match had written are reported in the order in which they ended; lost
// games are played again, and none twice.
TEST(SeriesTest, GoesOnWhereAnEarlierLifeEnded) {
  std::vector<std::pair<SeriesGame, SeriesOutcome>> written;
  Rng rng(5);
  const auto outcome_of = [](const SeriesGame& game) {
    return game.pair == 7 && game.attempt == 0 ? Fault(Side::kA) : Play(game);
  };
  Series whole({.pairs = 300});
  std::vector<SeriesGame> out;
  for (;;) {
    while (out.size() < 6) {
      const auto game = whole.Next();
      if (!game) break;
      out.push_back(*game);
    }
    if (out.empty()) break;
    std::swap(out[rng.Below(out.size())], out.back());
    written.emplace_back(out.back(), outcome_of(out.back()));
    whole.Done(written.back().first, written.back().second);
    out.pop_back();
  }
  ASSERT_EQ(whole.state(), State::kDone);
  for (const size_t kept : {size_t{0}, size_t{1}, size_t{13}, size_t{200}, written.size()}) {
    Series again({.pairs = 300});
    std::vector<SeriesGame> known;
    for (size_t i = 0; i < kept; ++i) {
      if (again.Done(written[i].first, written[i].second)) known.push_back(written[i].first);
    }
    while (const auto game = again.Next()) {
      EXPECT_EQ(std::count(known.begin(), known.end(), *game), 0);
      again.Done(*game, outcome_of(*game));
    }
    EXPECT_EQ(again.state(), State::kDone);
    EXPECT_EQ(again.tally().pentanomial, whole.tally().pentanomial) << kept;
    EXPECT_EQ(again.voids(), 1u);
  }
}

TEST(SeriesTest, WhatNobodyAskedForIsNoNews) {
  Series series({.pairs = 2});
  EXPECT_FALSE(series.Done({2, 0, true}, Drawn(1)));
  EXPECT_TRUE(series.Done({0, 0, true}, Drawn(1)));
  EXPECT_FALSE(series.Done({0, 0, true}, Drawn(1)));
  EXPECT_EQ(Name(series.state()), "playing");
}

TEST(SeriesTest, KnowsHowManyGamesThereAreToGive) {
  Series series({.pairs = 3});
  EXPECT_EQ(series.Available(), 6u);
  const SeriesGame first = series.Next().value();
  EXPECT_EQ(series.Available(), 5u);
  // One of an earlier life, further on: what lies between is due.
  series.Take({2, 0, false});
  EXPECT_EQ(series.Available(), 4u);
  series.Take({2, 0, false});
  series.Take({3, 0, true});
  series.Take({1, 5, true});
  EXPECT_EQ(series.Available(), 4u);
  EXPECT_TRUE(series.Done(first, Play(first)));
  EXPECT_EQ(series.Available(), 4u);
  series.GiveBack({2, 0, false});
  EXPECT_EQ(series.Available(), 5u);
  uint64_t given = 0;
  while (series.Next()) ++given;
  EXPECT_EQ(given, 5u);
  EXPECT_EQ(series.Available(), 0u);
}

TEST(SeriesTest, AnAttemptThatNobodyCanPlayIsVoid) {
  Series series({.pairs = 200});
  const SeriesGame first = series.Next().value();
  EXPECT_TRUE(series.Done(series.Next().value(), Play({0, 0, false})));
  series.Void(first);
  series.Void(first);  // once
  EXPECT_EQ(series.voids(), 1u);
  EXPECT_TRUE(series.faults(Side::kA).empty() && series.faults(Side::kB).empty());
  EXPECT_EQ(series.Next(), (SeriesGame{0, 1, true}));
  EXPECT_FALSE(series.Done(first, Play(first)));
  // A second series that knows only the games infers it from the next attempt.
  Series other({.pairs = 200});
  EXPECT_TRUE(other.Done({0, 0, false}, Play({0, 0, false})));
  EXPECT_TRUE(other.Done({0, 1, true}, Play({0, 1, true})));
  EXPECT_TRUE(other.Done({0, 1, false}, Play({0, 1, false})));
  EXPECT_EQ(other.voids(), 1u);
  EXPECT_EQ(other.pairs_played(), 1u);
}

TEST(SeriesTest, BothGamesOfAPairHaveOneSeed) {
  EXPECT_EQ(SeedOf(5, {3, 1, true}), SeedOf(5, {3, 1, false}));
  EXPECT_NE(SeedOf(5, {3, 1, true}), SeedOf(5, {3, 0, true}));
  EXPECT_NE(SeedOf(5, {3, 1, true}), SeedOf(5, {4, 1, true}));
  EXPECT_NE(SeedOf(5, {3, 1, true}), SeedOf(6, {3, 1, true}));
}

}  // namespace
}  // namespace joseki::book
