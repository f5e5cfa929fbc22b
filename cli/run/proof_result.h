#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "book/stats/pentanomial.h"
#include "book/stats/series.h"
#include "cli/context.h"
#include "cli/match/settings.h"
#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

// The result of a tuned book's proof, and its wording.
namespace joseki::cli {

// The gain in Elo that a match must be able to show to be played (one-sided 5 %, power 80 %).
inline constexpr double kTellingGain = 50;
// The number of games that show `elo` with that power, given the variance of a pair's score.
uint64_t GamesToShow(double elo, double pair_variance = book::kUsualPairVariance);

// One match of a proof.
struct ProofMatch {
  std::string opponent;  // in words
  MatchSettings settings;
  uint64_t cost = 1;         // cost of one game in the budget
  double smallest_gain = 0;  // Elo that its pairs can show, computed before any was played
  book::Series series{book::SeriesRules()};
  // The match is against the run's opponent, by the tuned book or by its input book. The two follow
  // one another, and their difference is the gain.
  bool measures = false;
  bool same_answers = false;  // both books answer alike everywhere: no gain can show
  bool left_out = false;      // the remaining budget could not show kTellingGain
  std::string file;
};

struct Proof {
  coordinator::RunId run = 0;
  double percent = 0;
  uint64_t run_games = 0;
  uint64_t budget = 0;              // in games at the run's limit
  std::vector<ProofMatch> matches;  // the most telling first
  bool interrupted = false;

  // Whether the whole budget could not show kTellingGain in one match; no match is played then.
  bool too_few() const { return budget < GamesToShow(kTellingGain); }
  // The number of further games that the run needs for a proof of this percentage; 0: none.
  uint64_t games_needed() const;
};

// The number of pairs for match `at` from the remaining budget `left`. The budget is shared equally
// among this match and as many of the following as can then all show kTellingGain. 0: it could not
// even show it in this match alone.
uint64_t PairsFor(const std::vector<ProofMatch>& matches, size_t at, uint64_t left);

// The tuned book's gain in Elo over its input book against the run's opponent. The 95 % interval
// combines those of the two matches by the method of G. Zou and A. Donner. nullopt where the run
// had no opponent, or one of the matches has no result.
std::optional<book::Estimate> GainAgainstOpponent(const Proof& proof);

// The words of an opponent by its label in the names of the matches' files, such as "bookless".
// Returns an unknown label unchanged.
std::string_view ProofOpponentWords(std::string_view label);
// "the input book at 500 nodes".
std::string MatchWords(const ProofMatch& match, const Voice& voice = Voice());

// The conclusion of the proof, in one sentence with figures.
std::string ProofVerdict(const Proof& proof, const Voice& voice = Voice());
// A sentence for each match, if the verdict covers several; and the matches left out.
std::vector<std::string> ProofDetails(const Proof& proof, const Voice& voice = Voice());
void PrintProof(const Proof& proof, const Voice& voice, std::ostream& out);
Json ProofJson(const Proof& proof);

}  // namespace joseki::cli
