#include "book/stats/interval.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

namespace joseki::book {
Interval Wilson(double points, double n, double confidence) {
  if (n <= 0) return {};
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double p = points / n;
  const double z2n = z * z / n;
  const double centre = (p + z2n / 2) / (1 + z2n);
  const double half = z * std::sqrt(p * (1 - p) / n + z2n / (4 * n)) / (1 + z2n);
  // Exact bounds at the ends, despite rounding.
  return {points <= 0 ? 0 : std::max(0.0, centre - half),
          points >= n ? 1 : std::min(1.0, centre + half)};
}

double EloOf(double score) {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

double ScoreOfElo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

}  // namespace joseki::book
