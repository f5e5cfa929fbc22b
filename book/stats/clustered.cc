#include "book/stats/clustered.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace joseki::book {
namespace {

constexpr double kDrawnHalf = 0.5;                       // mean of a drawn pair
constexpr double kEloUnit = 400 / 2.302585092994045684;  // 400 / ln 10

// Variance of the mean of one colour's games.
struct ColourVariance {
  double plain = 0;
  double used = 0;
  double freedom = 1;
};

double ColourMean(std::span<const PairedGames> pairs, int colour) {
  double sum = 0;
  for (const PairedGames& pair : pairs) sum += pair.score[colour];
  return sum / static_cast<double>(pairs.size());
}

ColourVariance VarianceOf(std::span<const PairedGames> pairs, int colour, double mean,
                          ClusteredScore& score) {
  struct Line {
    double games = 0;
    double residuals = 0;
  };
  std::map<uint64_t, Line> lines;
  double squares = 0;
  for (const PairedGames& pair : pairs) {
    const double residual = pair.score[colour] - mean;
    Line& line = lines[pair.line[colour]];
    ++line.games;
    line.residuals += residual;
    squares += residual * residual;
  }
  const auto n = static_cast<double>(pairs.size());
  double of_lines = 0;
  double shares = 0;
  for (const auto& [name, line] : lines) {
    of_lines += line.residuals * line.residuals;
    shares += line.games / n * (line.games / n);
  }
  const auto count = static_cast<double>(lines.size());
  score.lines[colour] = lines.size();
  score.effective[colour] = 1 / shares;
  ColourVariance variance;
  variance.plain = squares / n / (n - 1);
  variance.used = variance.plain;
  variance.freedom = n - 1;
  const double clustered = lines.size() < 2 ? 0 : count / (count - 1) * of_lines / (n * n);
  if (clustered > variance.plain) {
    variance.used = clustered;
    variance.freedom = std::max(1.0, 1 / shares - 1);
  }
  return variance;
}

}  // namespace

ClusteredScore ClusterByLine(std::span<const PairedGames> pairs) {
  ClusteredScore score;
  for (const PairedGames& pair : pairs) {
    const auto halves = std::lround(2 * (pair.score[0] + pair.score[1]));
    ++score.pentanomial.pairs[static_cast<size_t>(halves)];
  }
  if (pairs.empty()) return score;
  const double means[2] = {ColourMean(pairs, 0), ColourMean(pairs, 1)};
  score.score = (means[0] + means[1]) / 2;
  if (pairs.size() < 2) {
    score.lines = {1, 1};
    score.effective = {1, 1};
    return score;
  }
  const ColourVariance first = VarianceOf(pairs, 0, means[0], score);
  const ColourVariance second = VarianceOf(pairs, 1, means[1], score);
  double products = 0;
  for (const PairedGames& pair : pairs) {
    products += (pair.score[0] - means[0]) * (pair.score[1] - means[1]);
  }
  const auto n = static_cast<double>(pairs.size());
  const double covariance = products / n / (n - 1);
  score.plain = std::max(0.0, first.plain + second.plain + 2 * covariance) / 4;
  score.clustered = std::max(0.0, first.used + second.used + 2 * covariance) / 4;
  const double sum = first.used + second.used;
  score.freedom = sum <= 0 ? n - 1
                           : sum * sum /
                                 (first.used * first.used / first.freedom +
                                  second.used * second.used / second.freedom);
  return score;
}

Interval ScoreInterval(const ClusteredScore& score, double confidence) {
  const Interval plain = ScoreInterval(score.pentanomial, confidence);
  if (score.pairs() < 2) return plain;
  const double half =
      StudentQuantile(0.5 + confidence / 2, score.freedom) * std::sqrt(score.clustered);
  return {std::clamp(score.score - half, 0.0, plain.low),
          std::clamp(score.score + half, plain.high, 1.0)};
}

Estimate LogisticElo(const ClusteredScore& score, double confidence) {
  const Interval interval = ScoreInterval(score, confidence);
  return {EloOf(score.score), EloOf(interval.low), EloOf(interval.high)};
}

Measured MeasuredElo(const ClusteredScore& score) {
  double at = score.score;
  if (at <= 0 || at >= 1) {
    const auto n = static_cast<double>(score.pairs());
    at = (at * n + kDrawnHalf / 2) / (n + kDrawnHalf);
  }
  const double slope = kEloUnit / (at * (1 - at));
  const double variance = score.pairs() < 2 ? kUsualPairVariance : score.plain;
  return {EloOf(at), slope * slope * variance};
}

}  // namespace joseki::book
