#include "book/stats/pentanomial.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace joseki::book {
namespace {

constexpr int kResults = 5;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNormalisedUnit = 800 / 2.302585092994045684;  // 800 / ln 10

using Distribution = std::array<double, kResults>;

constexpr double ScoreOf(int result) { return result / 4.0; }

double Quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

struct Moments {
  double mean = 0;
  double variance = 0;
  double third = 0;  // third central moment
  double fourth = 0;
};

Moments MomentsOf(const Distribution& weights) {
  Moments moments;
  double sum = 0;
  for (int i = 0; i < kResults; ++i) {
    sum += weights[i];
    moments.mean += weights[i] * ScoreOf(i);
  }
  moments.mean /= sum;
  for (int i = 0; i < kResults; ++i) {
    const double d = ScoreOf(i) - moments.mean;
    moments.variance += weights[i] / sum * d * d;
    moments.third += weights[i] / sum * d * d * d;
    moments.fourth += weights[i] / sum * d * d * d * d;
  }
  return moments;
}

Distribution WeightsOf(const Pentanomial& pentanomial) {
  Distribution weights{};
  for (int i = 0; i < kResults; ++i) weights[i] = static_cast<double>(pentanomial.pairs[i]);
  return weights;
}

// The distribution after pairs were added at both ends.
struct Widened {
  Distribution weights;
  double pairs = 0;
};

Widened Widen(const Pentanomial& pentanomial, double z) {
  Widened widened{WeightsOf(pentanomial), static_cast<double>(pentanomial.count()) + z * z / 2};
  widened.weights.front() += z * z / 4;
  widened.weights.back() += z * z / 4;
  return widened;
}

// The distribution of maximal likelihood given `observed` under which `a` has mean 0. It is found
// by the multiplier x with sum p_i a_i / (1 + x a_i) = 0. Nullopt if all values of `a` have one
// sign.
std::optional<Distribution> Nearest(const Distribution& observed, const Distribution& a) {
  const auto [least, most] = std::minmax_element(a.begin(), a.end());
  if (*least >= 0 || *most <= 0) return std::nullopt;
  // The sum falls from plus to minus infinity between the two poles.
  double low = -1 / *most;
  double high = -1 / *least;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double x = low + (high - low) / 2;
    if (x <= low || x >= high) break;
    double sum = 0;
    for (int i = 0; i < kResults; ++i) sum += observed[i] * a[i] / (1 + x * a[i]);
    (sum > 0 ? low : high) = x;
  }
  const double x = low + (high - low) / 2;
  Distribution nearest{};
  for (int i = 0; i < kResults; ++i) nearest[i] = observed[i] / (1 + x * a[i]);
  return nearest;
}

// The most likely distribution with this mean.
std::optional<Distribution> WithMean(const Distribution& observed, double mean) {
  Distribution a{};
  for (int i = 0; i < kResults; ++i) a[i] = ScoreOf(i) - mean;
  return Nearest(observed, a);
}

// The most likely distribution with (mean - 1/2) / sd = t. Each iteration linearises the condition
// at the previous distribution. The slope along result i is a_i - 1/2 - t sd (1 + ((mean - a_i) /
// sd)^2) / 2.
std::optional<Distribution> WithRatio(const Distribution& observed, double t) {
  Distribution found{};
  found.fill(1.0 / kResults);
  for (int step = 0; step < 100; ++step) {
    const Moments moments = MomentsOf(found);
    const double sd = std::sqrt(moments.variance);
    Distribution a{};
    for (int i = 0; i < kResults; ++i) {
      const double d = (moments.mean - ScoreOf(i)) / sd;
      a[i] = ScoreOf(i) - 0.5 - t * sd * (1 + d * d) / 2;
    }
    const std::optional<Distribution> next = Nearest(observed, a);
    if (!next) return std::nullopt;
    double change = 0;
    for (int i = 0; i < kResults; ++i) change = std::max(change, std::abs((*next)[i] - found[i]));
    found = *next;
    if (change < 1e-12) break;
  }
  return found;
}

}  // namespace

uint64_t Pentanomial::count() const {
  uint64_t sum = 0;
  for (const uint64_t n : pairs) sum += n;
  return sum;
}

double Pentanomial::score() const { return count() == 0 ? 0.5 : MomentsOf(WeightsOf(*this)).mean; }

double Pentanomial::variance() const {
  return count() == 0 ? 0 : MomentsOf(WeightsOf(*this)).variance;
}

Interval ScoreInterval(const Pentanomial& pentanomial, double confidence) {
  if (pentanomial.count() == 0) return {};
  const double z = Quantile(0.5 + confidence / 2);
  const Widened widened = Widen(pentanomial, z);
  const Moments moments = MomentsOf(widened.weights);
  const double half = z * std::sqrt(moments.variance / widened.pairs);
  const double score = pentanomial.score();
  return {std::clamp(moments.mean - half, 0.0, score), std::clamp(moments.mean + half, score, 1.0)};
}

Estimate LogisticElo(const Pentanomial& pentanomial, double confidence) {
  const Interval interval = ScoreInterval(pentanomial, confidence);
  return {EloOf(pentanomial.score()), EloOf(interval.low), EloOf(interval.high)};
}

Estimate NormalisedElo(const Pentanomial& pentanomial, double confidence) {
  if (pentanomial.count() == 0) return {0, -kInfinity, kInfinity};
  const double unit = kNormalisedUnit / std::sqrt(2.0);
  const double gain = pentanomial.score() - 0.5;
  const double sd = std::sqrt(pentanomial.variance());
  Estimate estimate;
  estimate.value = gain == 0 ? 0 : unit * gain / sd;
  const double z = Quantile(0.5 + confidence / 2);
  // If all pairs are equal their variance is 0, so the widened distribution is used.
  const Widened widened =
      sd > 0 ? Widened{WeightsOf(pentanomial), static_cast<double>(pentanomial.count())}
             : Widen(pentanomial, z);
  const Moments moments = MomentsOf(widened.weights);
  const double spread = std::sqrt(moments.variance);
  const double t = (moments.mean - 0.5) / spread;
  const double skew = moments.third / (spread * moments.variance);
  const double kurtosis = moments.fourth / (moments.variance * moments.variance);
  const double variance = std::max(0.0, 1 - t * skew + t * t * (kurtosis - 1) / 4) / widened.pairs;
  estimate.low = std::min(estimate.value, unit * (t - z * std::sqrt(variance)));
  estimate.high = std::max(estimate.value, unit * (t + z * std::sqrt(variance)));
  return estimate;
}

double Sprt::lower() const { return std::log(beta / (1 - alpha)); }
double Sprt::upper() const { return std::log((1 - beta) / alpha); }

double LogLikelihoodRatio(const Pentanomial& pentanomial, const Sprt& sprt) {
  if (pentanomial.count() == 0) return 0;
  constexpr double kUnseen = 1e-3;
  Distribution observed = WeightsOf(pentanomial);
  double pairs = 0;
  for (double& weight : observed) {
    if (weight == 0) weight = kUnseen;
    pairs += weight;
  }
  for (double& weight : observed) weight /= pairs;
  const auto likeliest = [&](double elo) {
    return sprt.model == EloModel::kLogistic
               ? WithMean(observed, ScoreOfElo(elo))
               : WithRatio(observed, elo / kNormalisedUnit * std::sqrt(2.0));
  };
  const std::optional<Distribution> null = likeliest(sprt.elo0);
  const std::optional<Distribution> other = likeliest(sprt.elo1);
  // No distribution of these results has this strength, so there is no likelihood ratio.
  if (!null || !other) return 0;
  double sum = 0;
  for (int i = 0; i < kResults; ++i) sum += observed[i] * std::log((*other)[i] / (*null)[i]);
  return pairs * sum;
}

double SmallestGain(double pair_variance, uint64_t pairs, double confidence, double power) {
  if (pairs == 0) return kInfinity;
  const double gain = (Quantile(confidence) + Quantile(power)) *
                      std::sqrt(pair_variance / static_cast<double>(pairs));
  return gain >= 0.5 ? kInfinity : EloOf(0.5 + gain);
}

}  // namespace joseki::book
