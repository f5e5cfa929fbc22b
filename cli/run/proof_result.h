#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "book/stats/pentanomial.h"
#include "book/stats/series.h"
#include "cli/context.h"
#include "cli/match/settings.h"
#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

// What the proof of a tuned book came to, and in which words that is said.
namespace joseki::cli {

// What a match of a proof must be able to show to be played, in Elo (one-sided 5 %, with 80 %
// chance).
inline constexpr double kTellingGain = 50;
// How many games show so much, if a pair's score has this variance.
uint64_t GamesToShow(double elo, double pair_variance = book::kUsualPairVariance);

// One of the matches.
struct ProofMatch {
  std::string opponent;  // in words
  MatchSettings settings;
  uint64_t cost = 1;         // what a game takes of the budget
  double smallest_gain = 0;  // Elo that so many pairs would show, before any was played
  book::Series series{book::SeriesRules()};
  // Against the run's opponent, by the tuned book or by its input book: the two, one after the
  // other, are compared.
  bool measures = false;
  bool same_answers = false;  // both books answer alike everywhere: there is nothing to show
  bool left_out = false;      // what was left of the budget could not show kTellingGain
  std::string file;
};

struct Proof {
  coordinator::RunId run = 0;
  double percent = 0;
  uint64_t run_games = 0;
  uint64_t budget = 0;              // games at the run's limit
  std::vector<ProofMatch> matches;  // the most telling first
  bool interrupted = false;

  // The whole budget could not show kTellingGain in one match: nothing is played.
  bool too_few() const { return budget < GamesToShow(kTellingGain); }
  // How many games more the run would have to have for a proof of this percentage; 0: it has
  // enough.
  uint64_t games_needed() const;
};

// The pairs that a match gets of what is left of the budget: an equal share, among it and as many
// of the next as could then all show kTellingGain. 0: not even it alone could.
uint64_t PairsFor(const std::vector<ProofMatch>& matches, size_t at, uint64_t left);

// By how much Elo the tuned book does better against the run's opponent than the book that it was
// made of, with its 95 % interval (by the two matches' own, as G. Zou and A. Donner combine them);
// nullopt where the run had no opponent or one of the two matches says nothing.
std::optional<book::Estimate> GainAgainstOpponent(const Proof& proof);

// "the input book at 500 nodes".
std::string MatchWords(const ProofMatch& match, const Voice& voice = Voice());

// What the proof allows to be said, in one sentence with numbers.
std::string ProofVerdict(const Proof& proof, const Voice& voice = Voice());
// A sentence for each match, where the verdict is of several; and what was left out.
std::vector<std::string> ProofDetails(const Proof& proof, const Voice& voice = Voice());
void PrintProof(const Proof& proof, const Voice& voice, std::ostream& out);
Json ProofJson(const Proof& proof);

}  // namespace joseki::cli
