#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace joseki::book {

// Evaluations of a move as pseudo-games: their number, and their mean score for the side that plays
// the move. No games: nothing is known.
struct Prior {
  float value = 0.5F;
  float games = 0;
  bool operator==(const Prior&) const = default;
};

// Variance of the score of one game between equals, with the draws of computer shogi (6 %).
inline constexpr double kGameVariance = 0.235;

// An expected score, 0 to 1, with its variance. Fixed point, so that values do not depend on the
// order of updates, and small changes vanish on their way up a book.
struct Belief {
  static constexpr double kScore = 1 << 17;     // `mean` of a score of 1
  static constexpr double kVariance = 1 << 26;  // `variance` of a variance of 1
  static constexpr int32_t kUnknown = std::numeric_limits<int32_t>::max();

  int32_t mean = 1 << 16;
  int32_t variance = kUnknown;

  bool known() const { return variance != kUnknown; }
  double score() const { return mean / kScore; }
  double var() const { return variance / kVariance; }  // REQUIRES: known()
  // The belief as the other side sees it.
  Belief Flipped() const { return {static_cast<int32_t>(kScore) - mean, variance}; }
  bool operator==(const Belief&) const = default;

  // Clamps scores to 0 to 1 and variances to at most 1.
  static Belief Of(double score, double variance) {
    const double s = score < 0 ? 0 : (score > 1 ? 1 : score);
    const double v = variance < 0 ? 0 : (variance > 1 ? 1 : variance);
    return {static_cast<int32_t>(std::floor(s * kScore + 0.5)),
            static_cast<int32_t>(std::floor(v * kVariance + 0.5))};
  }
};

// A policy's belief of a move, for the side that plays it, or of a position, for the side to move.
// `own` assumes that this side answers by the book and the other one plays as modelled opponents
// do; `theirs` assumes the reverse. Policies that do not distinguish the two set both equal.
struct Value {
  Belief own;
  Belief theirs;

  Value Flipped() const { return {theirs.Flipped(), own.Flipped()}; }
  bool operator==(const Value&) const = default;
};

}  // namespace joseki::book
