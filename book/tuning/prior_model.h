#pragma once

#include <cstdint>
#include <span>

#include "book/evidence.h"
#include "book/tuning/belief.h"

namespace joseki::book {

// Conversion of a search's score to pseudo-games: an expected result, and the number of games that
// it counts for. Integers, as they are stored.
struct PriorModel {
  uint32_t scale = 600;           // centipawns s in the expected result 1 / (1 + exp(-cp / s))
  uint32_t milli_games = 60'000;  // n0, thousandths of a game
  bool operator==(const PriorModel&) const = default;

  static constexpr uint32_t kLeastScale = 100;
  static constexpr uint32_t kMostScale = 4000;
  // Bounds: trusting evaluations too little costs little, too much costs a lot.
  static constexpr uint32_t kMostMilliGames = 300'000;
  static constexpr uint32_t kLeastMilliGames = 4'000;
};

// Remaining weight of an evaluation by an earlier profile: another engine signature or node limit.
inline constexpr double kOlderShare = 0.2;

// The expected result for the side with this score; the same digits on every machine.
double ExpectedResult(int centipawns, uint32_t scale);

// A search's score, for the side that plays a move, as pseudo-games of that move.
Prior PriorOf(int centipawns, const PriorModel& model, bool older = false);

// A move with its evaluation and the results of its games.
struct JudgedMove {
  int centipawns = 0;  // for the side that plays it
  Evidence evidence;
};

// Fits the model to this book's games by empirical Bayes. Pure. Of more than 4,096 moves only those
// with the most games are used (among equals the first).
//
// The mean result q of a move over n games has three parts. They are the expected result p of its
// evaluation, the evaluation's error with variance s2 v, and chance with variance s2 / n. s2 is the
// variance of one game within a move, pooled over moves. v is the root of
//     sum (q - p)^2 / (s2 (v + 1 / n)) = number of moves,
// the method of moments of R. C. Paule and J. Mandel (J. Res. NBS 87, 1982) for spread beyond
// chance. An evaluation is then worth n0 = 1 / v games. The scale minimises
// sum (q - p)^2 / (v + 1 / n). As evaluations err, it is wider than the scale of their engine.
//
// Both fits start from the default model. It counts as `kAssumedMoves` moves with the default's v
// and, for the scale, as a normal prior of its logarithm with deviation 0.5 (ours). A game counts
// for every move that it went through: moments stay unbiased, but are less precise.
inline constexpr int kAssumedMoves = 20;
PriorModel FitPriorModel(std::span<const JudgedMove> moves);

// Squared difference between a move's mean and expected result, and its number of games.
struct Spread {
  double squared = 0;
  double games = 0;
};
// The variance v, clamped to the model's bounds; `assumed_moves` with the default's error are
// added.
double ErrorVariance(std::span<const Spread> moves, double game_variance, int assumed_moves);
// s2: variance of one game within moves.
double GameVariance(std::span<const JudgedMove> moves);

}  // namespace joseki::book
