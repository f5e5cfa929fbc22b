#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "book/stats/pentanomial.h"

// Statistics of a method over the books that it tuned.
namespace joseki::book {

// The measured value of one book, and the variance of the measurement.
struct Measured {
  double value = 0;
  double variance = 0;
};

struct OverBooks {
  size_t books = 0;
  double mean = 0;
  // Student's interval of the mean over books, by `spread`; infinite for fewer than two.
  double low = 0;
  double high = 0;
  double sd = 0;     // standard deviation of the measured values; 0 for one book
  double noise = 0;  // standard deviation of a measurement: root of the mean variance
  // Standard deviation between books without measurement noise, by moments; at least 0.
  double between = 0;
  // Tenth percentile over books without measurement noise: the values are shrunk to their mean
  // until their standard deviation is `between`.
  double tenth = 0;
  // Standard deviation of a value as the intervals take it: `sd`, which may be small by chance, but
  // no less than `noise`.
  double spread() const { return std::max(sd, noise); }
};

// REQUIRES: 0 < confidence < 1. For no books all fields are 0 and the bounds infinite.
OverBooks Summarise(std::span<const Measured> books, double confidence = 0.95);

// Mean of `a` minus mean of `b`, with Student's interval for unequal variances (B. L. Welch).
// Bounds are infinite if either has fewer than two books. REQUIRES: both have books.
Estimate DifferenceOf(const OverBooks& a, const OverBooks& b, double confidence = 0.95);

// The mean of a table with a row for each book of one method and a column for each of another. The
// interval is Student's, over the books of both. The variance is that of the row means plus that of
// the column means, each as the variance of a mean. Its degrees of freedom are the smaller
// dimension less one; bounds are infinite if that is 0. REQUIRES: rows of one length, above 0.
Estimate CrossedMean(const std::vector<std::vector<double>>& table, double confidence = 0.95);

// The `p`-quantile of Student's t with `freedom` degrees of freedom (positive, not necessarily
// integer). REQUIRES: 0 < p < 1.
double StudentQuantile(double p, double freedom);

// Probability that the interval of the mean over `books` books lies above a bound. The true mean is
// `gain` above it; values have standard deviation `sd`, noise included. 0 for fewer than two books.
// For sd 0 it is 1 if gain > 0, else 0.
double PowerOfMean(double gain, double sd, size_t books, double confidence = 0.95);

// The smallest number of books with PowerOfMean at least `power`; 0: even a million are too few.
size_t BooksToShow(double gain, double sd, double power = 0.8, double confidence = 0.95);

// The `p`-quantile of the values, with linear interpolation (R's default, type 7). REQUIRES: at
// least one value; 0 <= p <= 1.
double PercentileOf(std::vector<double> values, double p);

// Confidence of each of `tests` intervals that hold together with `confidence` (C. Bonferroni).
// REQUIRES: tests > 0.
double ConfidenceOfEach(double confidence, size_t tests);

}  // namespace joseki::book
