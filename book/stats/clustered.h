#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "book/stats/interval.h"
#include "book/stats/over_books.h"
#include "book/stats/pentanomial.h"

// Uncertainty of a match score when its games go through few lines.
namespace joseki::book {

// Games of a pair, from our side; index 0: the game in which we had the first move.
struct PairedGames {
  std::array<double, 2> score{};  // 0 to 1
  // Moves up to our exit from the book; equal numbers are equal lines.
  std::array<uint64_t, 2> line{};
};

struct ClusteredScore {
  Pentanomial pentanomial;  // of the nearest results, where scores are expected results
  double score = 0.5;       // mean score of a pair, 0 to 1
  double plain = 0;         // variance of the mean over further pairs of this match
  double clustered = 0;     // variance of the mean if the lines are themselves a sample; >= plain
  double freedom = 1;       // degrees of freedom of `clustered`
  std::array<uint64_t, 2> lines{};    // distinct lines, by colour
  std::array<double, 2> effective{};  // 1 / sum of squares of the lines' shares
  uint64_t pairs() const { return pentanomial.count(); }
  uint64_t distinct() const { return lines[0] + lines[1]; }
};

// A pair leaves the book on two lines, one for each colour, so games are clustered. The mean is
// half the sum of the colours' means. Its variance is a quarter of the sum of both variances and
// twice their covariance, which is that within pairs.
//
// A colour's variance is the larger of that for independent games and that clustered by line. The
// latter sums the residuals about the colour's mean within each line, squares them, and multiplies
// by L / (L - 1) for L lines. If lines decide, a colour has one degree of freedom less than its
// effective lines, at least 1. Both colours are combined as F. Satterthwaite does.
ClusteredScore ClusterByLine(std::span<const PairedGames> pairs);

// Student's interval of the score by `clustered`; at neither end narrower than ScoreInterval of the
// pentanomial.
Interval ScoreInterval(const ClusteredScore& score, double confidence = 0.95);
Estimate LogisticElo(const ClusteredScore& score, double confidence = 0.95);

// The score in Elo with the variance over further pairs of this match, for Summarise. If all pairs
// were won or all lost, half a drawn pair is added. The variance of one pair alone is the usual
// one. REQUIRES: at least one pair.
Measured MeasuredElo(const ClusteredScore& score);

}  // namespace joseki::book
