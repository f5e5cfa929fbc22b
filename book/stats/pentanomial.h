#pragma once

#include <array>
#include <cstdint>

#include "book/stats/interval.h"

namespace joseki::book {

// The results of game pairs: two games from one start with colours exchanged, so that what the
// start is worth to either colour cancels. By the points that A made of two: 0, 1/2, 1, 3/2, 2.
struct Pentanomial {
  std::array<uint64_t, 5> pairs{};

  uint64_t count() const;
  // Mean of what a pair scores, between 0 and 1; 1/2 for none.
  double score() const;
  // Variance of one pair's score about that mean.
  double variance() const;
  bool operator==(const Pentanomial&) const = default;
};

// A value with its confidence interval; infinite where nothing bounds it.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Interval of the mean score, by the pairs' own variance, after z^2/4 pairs have been added at
// either end (as Agresti and Coull do for single games, so that few or all equal pairs do not claim
// certainty). [0, 1] for no pairs.
Interval ScoreInterval(const Pentanomial& pentanomial, double confidence = 0.95);

// Rating difference, 400 log10(s / (1 - s)).
Estimate LogisticElo(const Pentanomial& pentanomial, double confidence = 0.95);

// Normalised Elo (Van den Bergh): (s - 1/2) / (sqrt(2) sd of a pair's score) * 800 / ln 10. It
// measures by how much games tell two sides apart, whatever the share of draws. The interval is
// that of a mean over a standard deviation, to first order in 1 / pairs; where all pairs are equal,
// as in ScoreInterval.
Estimate NormalisedElo(const Pentanomial& pentanomial, double confidence = 0.95);

enum class EloModel { kLogistic, kNormalised };

// A sequential test of "A is elo0 better" against "A is elo1 better".
struct Sprt {
  double elo0 = 0;
  double elo1 = 0;  // above elo0
  EloModel model = EloModel::kLogistic;
  double alpha = 0.05;  // chance to accept elo1 where elo0 is true
  double beta = 0.05;   // chance to accept elo0 where elo1 is true

  double lower() const;  // log(beta / (1 - alpha)): elo0 is accepted
  double upper() const;  // log((1 - beta) / alpha): elo1 is accepted
  bool operator==(const Sprt&) const = default;
};

// Generalised log-likelihood ratio of the two hypotheses (Van den Bergh, "A practical introduction
// to the GSPRT"; the test of fishtest): the likeliest distribution of pair results that has the one
// strength against the likeliest that has the other. Results that have not come up count as a
// thousandth of a pair. 0 for no pairs.
double LogLikelihoodRatio(const Pentanomial& pentanomial, const Sprt& sprt);

// The smallest gain in Elo that this many pairs would show at one-sided `confidence` with
// probability `power`, if a pair's score has this variance; infinite for none.
double SmallestGain(double pair_variance, uint64_t pairs, double confidence = 0.95,
                    double power = 0.8);

// Variance of a pair's score where one game in 16 is drawn and the sides are even: what is reckoned
// with before any game is played.
inline constexpr double kUsualPairVariance = 0.1172;

}  // namespace joseki::book
