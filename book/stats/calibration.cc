#include "book/stats/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "book/stats/over_books.h"

namespace joseki::book {
namespace {

constexpr double kConfidence = 0.95;
// Sums of squares below this are rounding errors.
constexpr double kNothing = 1e-9;

// Sums of squares and products about the means of a group.
struct Products {
  double expected = 0;
  double result = 0;
  double both = 0;
};

double Ratio(double a, double b) { return b > kNothing ? a / b : 0; }

}  // namespace

void Calibration::Add(uint64_t group, double expected, double result) {
  Sums& sums = groups_[group];
  sums.games += 1;
  sums.expected += expected;
  sums.result += result;
  sums.expected_squares += expected * expected;
  sums.result_squares += result * result;
  sums.products += expected * result;
  if (++games_ % kGamesALook != 0) return;
  misleads_ = Fit().high < kLeastSlope;
}

CalibrationFit Calibration::Fit() const {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  CalibrationFit fit{
      .games = games_, .groups = groups_.size(), .low = -kUnbounded, .high = kUnbounded};
  if (games_ == 0) return fit;
  const auto all = static_cast<double>(games_);
  double expected = 0;
  double result = 0;
  for (const auto& [name, sums] : groups_) {
    expected += sums.expected / all;
    result += sums.result / all;
  }
  // 1. Within groups, and between their means.
  std::vector<Products> spreads;
  Products within;
  Products between;
  for (const auto& [name, sums] : groups_) {
    const Products& own = spreads.emplace_back(
        Products{sums.expected_squares - sums.expected * sums.expected / sums.games,
                 sums.result_squares - sums.result * sums.result / sums.games,
                 sums.products - sums.expected * sums.result / sums.games});
    within.expected += own.expected;
    within.result += own.result;
    within.both += own.both;
    const double apart = sums.expected / sums.games - expected;
    between.expected += sums.games * apart * apart;
    between.both += sums.games * apart * (sums.result / sums.games - result);
  }
  fit.between = Ratio(between.both, between.expected);
  fit.slope = Ratio(within.both, within.expected);
  fit.intercept = result - fit.slope * expected;
  // 2. The interval.
  const auto groups = static_cast<double>(groups_.size());
  double freedom = all - groups - 1;
  if (within.expected <= kNothing || freedom < 1) return fit;
  const double left = std::max(0.0, within.result - fit.slope * within.both);
  double variance = left / freedom / within.expected;
  double residuals = 0;
  double shares = 0;
  for (const Products& own : spreads) {
    const double residual = own.both - fit.slope * own.expected;
    residuals += residual * residual;
    shares += own.expected / within.expected * (own.expected / within.expected);
  }
  const double clustered =
      groups < 2 ? 0 : groups / (groups - 1) * residuals / (within.expected * within.expected);
  if (clustered > variance) {
    variance = clustered;
    freedom = std::max(1.0, 1 / shares - 1);
  }
  const double half = StudentQuantile(0.5 + kConfidence / 2, freedom) * std::sqrt(variance);
  fit.low = fit.slope - half;
  fit.high = fit.slope + half;
  return fit;
}

}  // namespace joseki::book
