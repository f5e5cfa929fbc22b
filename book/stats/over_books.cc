#include "book/stats/over_books.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace joseki::book {
namespace {

constexpr double kTenth = 0.1;
constexpr size_t kMostBooks = 1'000'000;
// At this distance above the bound the power is 1, and the series of the distribution becomes long.
constexpr double kCertain = 40;
// From this many degrees of freedom, Student's t is approximated by a shifted normal distribution.
constexpr double kManyFreedom = 10'000;

}  // namespace

double StudentQuantile(double p, double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), p);
}

OverBooks Summarise(std::span<const Measured> books, double confidence) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  OverBooks over;
  over.books = books.size();
  over.low = -kUnbounded;
  over.high = kUnbounded;
  if (books.empty()) return over;
  const auto n = static_cast<double>(books.size());
  double variances = 0;
  for (const Measured& book : books) {
    over.mean += book.value / n;
    variances += book.variance / n;
  }
  over.noise = std::sqrt(variances);
  over.tenth = over.mean;
  if (books.size() < 2) return over;
  double squares = 0;
  for (const Measured& book : books) {
    squares += (book.value - over.mean) * (book.value - over.mean);
  }
  over.sd = std::sqrt(squares / (n - 1));
  over.between = std::sqrt(std::max(0.0, over.sd * over.sd - variances));
  const double half = StudentQuantile(0.5 + confidence / 2, n - 1) * over.spread() / std::sqrt(n);
  over.low = over.mean - half;
  over.high = over.mean + half;
  const double factor = over.sd > 0 ? over.between / over.sd : 0;
  std::vector<double> values;
  for (const Measured& book : books) {
    values.push_back(over.mean + factor * (book.value - over.mean));
  }
  over.tenth = PercentileOf(std::move(values), kTenth);
  return over;
}

Estimate DifferenceOf(const OverBooks& a, const OverBooks& b, double confidence) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  Estimate difference{a.mean - b.mean, -kUnbounded, kUnbounded};
  if (a.books < 2 || b.books < 2) return difference;
  const double of_a = a.spread() * a.spread() / static_cast<double>(a.books);
  const double of_b = b.spread() * b.spread() / static_cast<double>(b.books);
  double half = 0;
  if (of_a + of_b > 0) {
    const double freedom = (of_a + of_b) * (of_a + of_b) /
                           (of_a * of_a / static_cast<double>(a.books - 1) +
                            of_b * of_b / static_cast<double>(b.books - 1));
    half = StudentQuantile(0.5 + confidence / 2, freedom) * std::sqrt(of_a + of_b);
  }
  difference.low = difference.value - half;
  difference.high = difference.value + half;
  return difference;
}

Estimate CrossedMean(const std::vector<std::vector<double>>& table, double confidence) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const size_t columns = table.front().size();
  std::vector<Measured> by_row(table.size());
  std::vector<Measured> by_column(columns);
  for (size_t i = 0; i < table.size(); ++i) {
    for (size_t j = 0; j < columns; ++j) {
      by_row[i].value += table[i][j] / static_cast<double>(columns);
      by_column[j].value += table[i][j] / static_cast<double>(table.size());
    }
  }
  const OverBooks rows = Summarise(by_row);
  const OverBooks others = Summarise(by_column);
  const size_t fewer = std::min(table.size(), columns);
  Estimate mean{rows.mean, -kUnbounded, kUnbounded};
  if (fewer < 2) return mean;
  const double variance = rows.sd * rows.sd / static_cast<double>(table.size()) +
                          others.sd * others.sd / static_cast<double>(columns);
  const double half =
      StudentQuantile(0.5 + confidence / 2, static_cast<double>(fewer - 1)) * std::sqrt(variance);
  mean.low = mean.value - half;
  mean.high = mean.value + half;
  return mean;
}

double PowerOfMean(double gain, double sd, size_t books, double confidence) {
  if (books < 2) return 0;
  if (sd <= 0) return gain > 0 ? 1 : 0;
  const auto n = static_cast<double>(books);
  const double shift = gain / (sd / std::sqrt(n));
  if (shift > kCertain) return 1;
  if (shift < -kCertain) return 0;
  const double bound = StudentQuantile(0.5 + confidence / 2, n - 1);
  if (n > kManyFreedom) return std::erfc((bound - shift) / std::sqrt(2.0)) / 2;
  const boost::math::non_central_t shifted(n - 1, shift);
  return boost::math::cdf(boost::math::complement(shifted, bound));
}

size_t BooksToShow(double gain, double sd, double power, double confidence) {
  if (PowerOfMean(gain, sd, kMostBooks, confidence) < power) return 0;
  size_t low = 2;
  size_t high = kMostBooks;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (PowerOfMean(gain, sd, middle, confidence) >= power) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double PercentileOf(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(at);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

double ConfidenceOfEach(double confidence, size_t tests) {
  return 1 - (1 - confidence) / static_cast<double>(tests);
}

}  // namespace joseki::book
