// Tests the wording of a proof, and which matches its budget pays for.

#include "cli/run/proof_result.h"

#include <limits>
#include <string>
#include <vector>

#include "cli/match/report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ProofMatch MatchAgainst(const std::string& opponent, uint64_t cost = 1) {
  ProofMatch match;
  match.opponent = opponent;
  match.cost = cost;
  match.settings.sides[0].play.nodes = 500 * cost;
  return match;
}

// A wins `won` of the pairs by 2-0, and the rest are 1-1; with negative `won` B does.
void Play(ProofMatch& match, uint32_t pairs, int won) {
  match.settings.series.pairs = pairs;
  match.series = book::Series(match.settings.series);
  uint64_t hash = 0;
  while (const auto game = match.series.Next()) {
    const bool telling = game->pair < static_cast<uint32_t>(std::abs(won));
    // In a pair that tells nothing the first player wins.
    const bool a_wins = telling ? won > 0 : game->a_first;
    book::SeriesOutcome outcome;
    outcome.ending = {WinFor(a_wins == game->a_first ? Color::kFirst : Color::kSecond),
                      Termination::kNoLegalMove};
    outcome.moves_hash = ++hash;
    match.series.Done(*game, outcome);
  }
}

Proof ProofOf(std::vector<ProofMatch> matches, uint64_t budget = 2000) {
  Proof proof{.run = 1, .percent = 20, .run_games = 5 * budget, .budget = budget};
  proof.matches = std::move(matches);
  return proof;
}

TEST(ProofResult, SpeaksJapanese) {
  const Voice voice(Language::kJapanese, "");
  Proof proof{.run = 1, .percent = 20, .run_games = 80, .budget = 16};
  EXPECT_THAT(ProofVerdict(proof, voice), HasSubstr("証明には対局が足りません"));
  ProofMatch match = MatchAgainst("the input book");
  Play(match, 100, 60);
  EXPECT_THAT(ProofVerdict(ProofOf({match}), voice),
              HasSubstr("証明: 調整した定跡は 元の定跡 (各手 500 ノード) より強い: +"));
}

// A test that passes where the book is only not much worse is no proof of a gain.
TEST(ProofResult, ATestBelowZeroShowsNoGain) {
  ProofMatch match = MatchAgainst("input");
  match.settings.series.sprt = book::Sprt{.elo0 = -300, .elo1 = -200};
  Play(match, 1000, 0);
  ASSERT_EQ(match.series.state(), book::Series::State::kAccepted);
  EXPECT_EQ(ProofJson(ProofOf({match}))["matches"][0]["shows_gain"], false);
}

TEST(ProofResult, BelowGamesThatCouldShowFiftyEloSaysHowManyWould) {
  const uint64_t games = GamesToShow(kTellingGain);
  EXPECT_LE(book::SmallestGain(book::kUsualPairVariance, games / 2), kTellingGain);
  EXPECT_GT(book::SmallestGain(book::kUsualPairVariance, games / 2 - 1), kTellingGain);
  Proof proof{.run = 1, .percent = 20, .run_games = 80, .budget = 16};
  EXPECT_TRUE(proof.too_few());
  EXPECT_EQ(proof.games_needed(), 5 * games - 80);
  EXPECT_EQ(ProofVerdict(proof),
            "Too few games to prove anything: 20 % of this run's 80 are 16, and it takes 284 to "
            "show 50 Elo; 1340 more games of the run would do.");
  EXPECT_THAT(ProofDetails(proof), IsEmpty());
  const Json json = ProofJson(proof);
  EXPECT_EQ(json["too_few"], true);
  EXPECT_EQ(json["games_needed"], 1340);
  proof.budget = games;
  EXPECT_FALSE(proof.too_few());
  EXPECT_EQ(proof.games_needed(), 0u);
}

TEST(ProofResult, ABudgetPlaysAsManyMatchesAsCanSayAnything) {
  const uint64_t games = GamesToShow(kTellingGain);
  std::vector<ProofMatch> matches = {MatchAgainst("input"), MatchAgainst("frequent"),
                                     MatchAgainst("input", 10), MatchAgainst("frequent", 10)};
  EXPECT_EQ(PairsFor(matches, 0, games - 1), 0u);
  EXPECT_EQ(PairsFor(matches, 0, games), games / 2) << "all of it for the most telling one";
  EXPECT_EQ(PairsFor(matches, 0, 2 * games - 1), games - 1);
  EXPECT_EQ(PairsFor(matches, 0, 2 * games), games / 2) << "shared by two";
  EXPECT_EQ(PairsFor(matches, 0, 39 * games), 39 * games / 3 / 2);
  EXPECT_EQ(PairsFor(matches, 0, 40 * games), 10 * games / 2) << "equal shares for all four";
  EXPECT_EQ(PairsFor(matches, 2, 10 * games), games / 2);
  EXPECT_EQ(PairsFor(matches, 2, 10 * games - 1), 0u);
  matches[1].same_answers = true;
  EXPECT_EQ(PairsFor(matches, 0, 2 * games), games) << "no share for what is not played";
}

TEST(ProofResult, AgainstTheRunsOpponentBothMatchesArePlayedOrNone) {
  std::vector<ProofMatch> matches = {MatchAgainst("input"), MatchAgainst("opponent"),
                                     MatchAgainst("opponent by input"), MatchAgainst("frequent")};
  matches[1].measures = matches[2].measures = true;
  const uint64_t games = GamesToShow(kTellingGain);
  const uint64_t of_two = GamesToShow(kTellingGain, 2 * book::kUsualPairVariance);
  EXPECT_EQ(PairsFor(matches, 0, 2 * games), games) << "not one of the two";
  EXPECT_EQ(PairsFor(matches, 0, 3 * of_two), of_two / 2);
  EXPECT_EQ(PairsFor(matches, 1, 2 * of_two), of_two / 2);
  EXPECT_EQ(PairsFor(matches, 1, 2 * of_two - 1), 0u);
  matches[1].left_out = true;
  EXPECT_EQ(PairsFor(matches, 2, 9 * of_two), 0u);
}

TEST(ProofResult, OneMatchIsOneSentence) {
  ProofMatch match = MatchAgainst("the input book");
  Play(match, 50, 3);
  EXPECT_EQ(ProofVerdict(ProofOf({match})),
            "Not proven that the tuned book is stronger than the input book at 500 nodes: +21 Elo, "
            "between -9 and +49, after 100 games; about 230 more would show +20.");
  EXPECT_THAT(ProofDetails(ProofOf({match})), IsEmpty());
  Play(match, 50, 30);
  EXPECT_THAT(ProofVerdict(ProofOf({match})),
              HasSubstr("Proven: the tuned book is stronger than the input book at 500 nodes: +"));
  Play(match, 50, -30);
  EXPECT_THAT(ProofVerdict(ProofOf({match})),
              HasSubstr("Proven: the tuned book is WEAKER than the input book at 500 nodes: -"));
}

TEST(ProofResult, SeveralMatchesAreASentenceEachAfterOneOfAll) {
  std::vector<ProofMatch> matches = {MatchAgainst("the input book"), MatchAgainst("its moves"),
                                     MatchAgainst("the input book", 10),
                                     MatchAgainst("its moves", 10)};
  Play(matches[0], 300, 100);
  Play(matches[1], 300, 1);
  matches[2].left_out = matches[3].left_out = true;
  Proof proof = ProofOf(matches);
  EXPECT_EQ(ProofVerdict(proof), "Proven: the tuned book is stronger in 1 of 2 matches.");
  const std::vector<std::string> details = ProofDetails(proof);
  ASSERT_THAT(details, SizeIs(3));
  EXPECT_THAT(details[0], HasSubstr("Against the input book at 500 nodes: proven stronger, +"));
  EXPECT_THAT(details[1], HasSubstr("Against its moves at 500 nodes: not proven, +1 Elo, between"));
  std::ostringstream printed;
  PrintProof(proof, Voice(), printed);
  EXPECT_THAT(printed.str(),
              HasSubstr("\n  against                      games  Elo, 95 % interval\n"
                        "  the input book at 500 nodes    600  +"));
  EXPECT_THAT(printed.str(), HasSubstr("\n  its moves at 500 nodes         600  +1"));
  EXPECT_EQ(details[2],
            "Left out, as what was left of 2000 games could not show 50 Elo there: the input book "
            "at 5000 nodes; its moves at 5000 nodes.");
  Play(proof.matches[0], 300, 1);
  EXPECT_EQ(ProofVerdict(proof),
            "Not proven: in none of 2 matches is the tuned book shown to be stronger, or weaker.");
  Play(proof.matches[1], 300, -100);
  EXPECT_EQ(ProofVerdict(proof), "Proven: the tuned book is WEAKER in 1 of 2 matches.");
  proof.matches[0].same_answers = true;
  EXPECT_THAT(ProofDetails(proof)[0], HasSubstr("answers alike everywhere"));
}

TEST(ProofResult, TheTwoMatchesAgainstTheRunsOpponentAreOneSentence) {
  std::vector<ProofMatch> matches = {MatchAgainst("the input book"), MatchAgainst("the opponent"),
                                     MatchAgainst("the opponent, by the input book")};
  matches[1].measures = matches[2].measures = true;
  Play(matches[0], 300, 1);
  Play(matches[1], 600, 200);
  Play(matches[2], 600, -200);
  const Proof proof = ProofOf(matches);
  EXPECT_EQ(ProofVerdict(proof), "Proven: the tuned book is stronger in 1 of 2 matches.");
  ASSERT_THAT(ProofDetails(proof), SizeIs(2));
  EXPECT_THAT(ProofDetails(proof)[1],
              HasSubstr("Against the input book, each against the run's opponent at 500 nodes: "
                        "proven stronger, +"));
  EXPECT_THAT(ProofDetails(proof)[1], HasSubstr("after 1200 and 1200 games"));
}

TEST(ProofResult, NoBoundIsSaidInWords) {
  EXPECT_EQ(EloWords({21.4, -52, 94}), "+21 Elo, between -52 and +94");
  EXPECT_EQ(EloWords({kInfinity, 120, kInfinity}), "every game won, +120 at least");
  EXPECT_EQ(EloWords({-kInfinity, -kInfinity, -120}), "every game lost, -120 at most");
  EXPECT_EQ(EloWords({0, -kInfinity, kInfinity}),
            "+0 Elo, by too few games to say how sure that is");
  EXPECT_EQ(EloRange({0, -kInfinity, 326.5}), "+0.0 [?, +326.5]");
  ProofMatch match = MatchAgainst("the input book");
  Play(match, 1, 1);
  EXPECT_THAT(ProofVerdict(ProofOf({match})), Not(HasSubstr("inf")));
  EXPECT_THAT(MatchLine(match.series, match.settings.series), Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace joseki::cli
