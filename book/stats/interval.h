#pragma once

namespace joseki::book {

// Bounds of a score between 0 and 1.
struct Interval {
  double low = 0;
  double high = 1;
};

// Confidence intervals of a score from `n` games with `points` points (a draw is half a point).
// [0, 1] for n = 0. REQUIRES: 0 <= points <= n, 0 < confidence < 1.

// Wilson's score interval: what Joseki shows. A draw lowers the variance below that of a win or a
// loss, so with draws it errs to the wide side.
Interval Wilson(double points, double n, double confidence = 0.95);

// The rating difference that makes a score likely, 400 * log10(s / (1 - s)); infinite at 0 and 1.
// REQUIRES: 0 <= score <= 1.
double EloOf(double score);
// The inverse.
double ScoreOfElo(double elo);

}  // namespace joseki::book
