#pragma once

namespace joseki::book {

// Bounds of a score between 0 and 1.
struct Interval {
  double low = 0;
  double high = 1;
};

// Confidence intervals of a score from `n` games with `points` points (a draw is half a point).
// [0, 1] for n = 0. REQUIRES: 0 <= points <= n, 0 < confidence < 1.

// Wilson's score interval, the one that Joseki shows. Draws lower the true variance, so the
// interval is conservative with draws.
Interval Wilson(double points, double n, double confidence = 0.95);

// Rating difference of an expected score, 400 * log10(s / (1 - s)); infinite at 0 and 1. REQUIRES:
// 0 <= score <= 1.
double EloOf(double score);
// The inverse of EloOf.
double ScoreOfElo(double elo);

}  // namespace joseki::book
