#pragma once

#include <array>
#include <cstdint>

#include "book/stats/interval.h"

namespace joseki::book {

// Results of game pairs: two games from one start with colours exchanged, so that the start's
// advantage to a colour cancels. Counts are by A's points: 0, 1/2, 1, 3/2, 2.
struct Pentanomial {
  std::array<uint64_t, 5> pairs{};

  uint64_t count() const;
  // Mean score of a pair, 0 to 1; 1/2 for none.
  double score() const;
  // Variance of one pair's score.
  double variance() const;
  bool operator==(const Pentanomial&) const = default;
};

// A value with its confidence interval; a missing bound is infinite.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Interval of the mean score from the pairs' own variance, after adding z^2/4 pairs at either end.
// Agresti and Coull do this for single games. Few or identical pairs thus do not claim certainty.
// [0, 1] for no pairs.
Interval ScoreInterval(const Pentanomial& pentanomial, double confidence = 0.95);

// Rating difference, 400 log10(s / (1 - s)).
Estimate LogisticElo(const Pentanomial& pentanomial, double confidence = 0.95);

// Normalised Elo (Van den Bergh): (s - 1/2) / (sqrt(2) sd of a pair's score) * 800 / ln 10. It
// measures how well games distinguish two sides, whatever the share of draws. The interval is that
// of a mean over a standard deviation, to first order in 1 / pairs; if all pairs are equal, as in
// ScoreInterval.
Estimate NormalisedElo(const Pentanomial& pentanomial, double confidence = 0.95);

enum class EloModel { kLogistic, kNormalised };

// A sequential test of "A is elo0 better" against "A is elo1 better".
struct Sprt {
  double elo0 = 0;
  double elo1 = 0;  // greater than elo0
  EloModel model = EloModel::kLogistic;
  double alpha = 0.05;  // probability of accepting elo1 if elo0 is true
  double beta = 0.05;   // probability of accepting elo0 if elo1 is true

  double lower() const;  // log(beta / (1 - alpha)): elo0 is accepted
  double upper() const;  // log((1 - beta) / alpha): elo1 is accepted
  bool operator==(const Sprt&) const = default;
};

// Generalised log-likelihood ratio of the two hypotheses (Van den Bergh, "A practical introduction
// to the GSPRT"; the test of fishtest). It compares the most likely distributions of pair results
// under either strength. Results that have not occurred count as a thousandth of a pair. 0 for no
// pairs.
double LogLikelihoodRatio(const Pentanomial& pentanomial, const Sprt& sprt);

// The smallest gain in Elo that `pairs` pairs would show at one-sided `confidence` with probability
// `power`. `pair_variance` is the variance of a pair's score. Infinite for no pairs.
double SmallestGain(double pair_variance, uint64_t pairs, double confidence = 0.95,
                    double power = 0.8);

// Variance of a pair's score between equal sides with one game in 16 drawn: the assumption before
// any game is played.
inline constexpr double kUsualPairVariance = 0.1172;

}  // namespace joseki::book
