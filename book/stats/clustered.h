#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "book/stats/interval.h"
#include "book/stats/over_books.h"
#include "book/stats/pentanomial.h"

// A match whose games go through few lines: how sure its score is as a statement about lines.
namespace joseki::book {

// Both games of a pair, from our side; [0]: the one in which we had the first move.
struct PairedGames {
  std::array<double, 2> score{};   // 0, 1/2 or 1
  std::array<uint64_t, 2> line{};  // the moves up to where we left our book; equal is the same line
};

struct ClusteredScore {
  Pentanomial pentanomial;
  double score = 0.5;    // mean of what a pair scores, between 0 and 1
  double plain = 0;      // variance of that mean over further pairs of this very match
  double clustered = 0;  // variance of that mean if the lines are a sample of lines; >= plain
  double freedom = 1;    // degrees of freedom of `clustered`
  std::array<uint64_t, 2> lines{};    // distinct, by colour
  std::array<double, 2> effective{};  // 1 / sum of squares of the lines' shares
  uint64_t pairs() const { return pentanomial.count(); }
  uint64_t distinct() const { return lines[0] + lines[1]; }
};

// A pair leaves by two lines, one for each colour, so games are clustered: the mean is half of the
// mean of either colour, and its variance a quarter of both variances and twice their covariance.
// Either variance is the larger of that of independent games and that clustered by line (residuals
// about the colour's mean summed within a line, squared, times L / (L - 1) for L lines), the
// covariance that within pairs. If lines decide, a colour has as many degrees of freedom as
// effective lines less one, at least 1; both are put together as F. Satterthwaite does.
ClusteredScore ClusterByLine(std::span<const PairedGames> pairs);

// Student's interval of the score by `clustered`, and never narrower at either end than
// ScoreInterval of the pairs' pentanomial.
Interval ScoreInterval(const ClusteredScore& score, double confidence = 0.95);
Estimate LogisticElo(const ClusteredScore& score, double confidence = 0.95);

// The score in Elo with the variance of further pairs of this very match, for Summarise. A match of
// which every pair was won or lost counts as if half a pair more had been drawn. REQUIRES: pairs.
Measured MeasuredElo(const ClusteredScore& score);

}  // namespace joseki::book
