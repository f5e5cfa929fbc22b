#pragma once

#include <cstdint>
#include <span>

#include "book/evidence.h"
#include "book/tuning/belief.h"

namespace joseki::book {

// A search's score as evidence of results: an expected result, and the number of games that it
// counts for. Whole numbers, as they are stored.
struct PriorModel {
  uint32_t scale = 600;           // centipawns: an expected result of 1 / (1 + exp(-cp / scale))
  uint32_t milli_games = 60'000;  // thousandths of the games that it counts for (n0)
  bool operator==(const PriorModel&) const = default;

  static constexpr uint32_t kLeastScale = 100;
  static constexpr uint32_t kMostScale = 4000;
  // Trusting evaluations too little costs little, too much costs much.
  static constexpr uint32_t kMostMilliGames = 300'000;
  static constexpr uint32_t kLeastMilliGames = 4'000;
};

// The remaining weight of an evaluation by an earlier profile: another engine's signature or node
// limit.
inline constexpr double kOlderShare = 0.2;

// The expected result of the side with this score, by arithmetic that is the same everywhere.
double ExpectedResult(int centipawns, uint32_t scale);

// A search's score for the side that plays a move as pseudo-games of that move.
Prior PriorOf(int centipawns, const PriorModel& model, bool older = false);

// A move with an evaluation, and what its games say.
struct JudgedMove {
  int centipawns = 0;  // for the side that plays it
  Evidence evidence;
};

// The model that this book's games support, by empirical Bayes. A pure function; of more than 4,096
// moves only those with the most games count (of equal ones, the first).
//
// A move's mean result q over n games is its evaluation's expected result p, plus the evaluation's
// own error with variance s2 v, plus chance with variance s2 / n. s2 is the variance of one game
// within a move, pooled over moves. v is the root of
//     sum (q - p)^2 / (s2 (v + 1 / n)) = number of moves,
// the method of moments of R. C. Paule and J. Mandel (J. Res. NBS 87, 1982): spread beyond what
// chance alone makes. An evaluation is then worth n0 = 1 / v games. The scale is the one with the
// least sum (q - p)^2 / (v + 1 / n); as evaluations err, it is wider than their makers' one. Both
// begin from the default model, which counts as `kAssumedMoves` moves of its own v and, for the
// scale, as a normal prior of its logarithm with deviation 0.5 (ours). A game counts at every move
// that it went through: that leaves the moments right, and makes them less exact.
inline constexpr int kAssumedMoves = 20;
PriorModel FitPriorModel(std::span<const JudgedMove> moves);

// A move's squared distance of its mean result from the expected one, and its games.
struct Spread {
  double squared = 0;
  double games = 0;
};
// The variance v, held to what the model's bounds allow; `assumed_moves` of the default's are
// added.
double ErrorVariance(std::span<const Spread> moves, double game_variance, int assumed_moves);
// s2: of one game, within moves.
double GameVariance(std::span<const JudgedMove> moves);

}  // namespace joseki::book
