#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "book/stats/pentanomial.h"

// Statistics of a method over several books that it tuned.
namespace joseki::book {

// The measured value of one book, and the variance of the measurement itself.
struct Measured {
  double value = 0;
  double variance = 0;
};

struct OverBooks {
  size_t books = 0;
  double mean = 0;
  double low = 0;  // Student's interval of the mean over books; infinite for fewer than two
  double high = 0;
  double sd = 0;       // of the values over books, the measurements' noise included; 0 for one book
  double noise = 0;    // sd of a measurement: root of the mean variance
  double between = 0;  // sd between books, noise taken out by the method of moments; at least 0
  // Tenth percentile over books, noise taken out: the values are drawn towards their mean until
  // their sd is `between`.
  double tenth = 0;
};

// REQUIRES: 0 < confidence < 1. All 0 but for infinite bounds for no books.
OverBooks Summarise(std::span<const Measured> books, double confidence = 0.95);

// By how much the mean of `a` lies above that of `b`, with Student's interval for unequal variances
// (B. L. Welch); infinite bounds where either has fewer than two books. REQUIRES: both have books.
Estimate DifferenceOf(const OverBooks& a, const OverBooks& b, double confidence = 0.95);

// The mean of a table whose rows are the books of one method and whose columns are those of
// another, with Student's interval over the books of both: the variance is that of the rows' means
// over the rows and that of the columns' means over the columns, with as many degrees of freedom as
// the smaller number less one; infinite bounds where that is 0. REQUIRES: rows of one length, above
// 0.
Estimate CrossedMean(const std::vector<std::vector<double>>& table, double confidence = 0.95);

// The value below which Student's t with this many degrees of freedom (above 0, whole or not) lies
// with probability `p`; 0 < p < 1.
double StudentQuantile(double p, double freedom);

// Chance that the interval of the mean over this many books lies above `bound`, if the truth is
// `gain` above that bound and values have this sd over books (noise included). 0 for fewer than two
// books; for sd 0, 1 if gain is above 0, else 0.
double PowerOfMean(double gain, double sd, size_t books, double confidence = 0.95);

// The fewest books for which PowerOfMean is at least `power`; 0: a million are too few.
size_t BooksToShow(double gain, double sd, double power = 0.8, double confidence = 0.95);

// The value below which a share `p` of the values lies, between two of them in proportion
// (R's default, type 7). REQUIRES: there is one; 0 <= p <= 1.
double PercentileOf(std::vector<double> values, double p);

// The confidence of each of several intervals that all hold together with `confidence` (C.
// Bonferroni). REQUIRES: tests > 0.
double ConfidenceOfEach(double confidence, size_t tests);

}  // namespace joseki::book
