#include "book/tuning/prior_model.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "book/tuning/belief.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

constexpr size_t kMostMoves = 4096;
constexpr int kRounds = 3;  // alternations between fitting the scale and the variance
constexpr int kBisections = 40;
// Steps of the golden section: to 1 in 30,000 of the scale's logarithm.
constexpr int kSections = 24;
constexpr double kScaleDeviation = 0.5;
constexpr double kAssumedGames = 100;  // weight of the assumed variance, kGameVariance

double DefaultError() { return 1000.0 / PriorModel().milli_games; }

double MeanResult(const Evidence& evidence) {
  return (evidence.wins + 0.5 * evidence.draws) / evidence.games();
}

std::vector<JudgedMove> MostPlayed(std::span<const JudgedMove> moves) {
  std::vector<JudgedMove> played;
  for (const JudgedMove& move : moves) {
    if (move.evidence.games() > 0) played.push_back(move);
  }
  if (played.size() <= kMostMoves) return played;
  std::stable_sort(played.begin(), played.end(), [](const JudgedMove& a, const JudgedMove& b) {
    return a.evidence.games() > b.evidence.games();
  });
  played.resize(kMostMoves);
  return played;
}

// Golden section over the scale's logarithm. The penalised sum of squares has one minimum, or two
// so shallow that either will do.
double BestScale(std::span<const JudgedMove> moves, double game_variance, double error) {
  const double default_log = Log(PriorModel().scale);
  const auto cost = [&](double log_scale) {
    const double scale = Exp(log_scale);
    double sum = 0;
    for (const JudgedMove& move : moves) {
      const double far = MeanResult(move.evidence) - 1 / (1 + Exp(-move.centipawns / scale));
      sum += far * far / (error + 1.0 / move.evidence.games());
    }
    const double from_default = (log_scale - default_log) / kScaleDeviation;
    return sum / game_variance + from_default * from_default;
  };
  constexpr double kGolden = 0.6180339887498949;
  double low = Log(PriorModel::kLeastScale);
  double high = Log(PriorModel::kMostScale);
  double a = high - kGolden * (high - low);
  double b = low + kGolden * (high - low);
  double at_a = cost(a);
  double at_b = cost(b);
  for (int i = 0; i < kSections; ++i) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = cost(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = cost(b);
    }
  }
  return Exp(0.5 * (low + high));
}

uint32_t Rounded(double value, uint32_t least, uint32_t most) {
  return static_cast<uint32_t>(
      std::floor(std::clamp(value, static_cast<double>(least), static_cast<double>(most)) + 0.5));
}

}  // namespace

double ExpectedResult(int centipawns, uint32_t scale) {
  return 1 / (1 + Exp(-static_cast<double>(centipawns) / scale));
}

Prior PriorOf(int centipawns, const PriorModel& model, bool older) {
  const double games = 1e-3 * model.milli_games * (older ? kOlderShare : 1);
  return {static_cast<float>(ExpectedResult(centipawns, model.scale)), static_cast<float>(games)};
}

double GameVariance(std::span<const JudgedMove> moves) {
  double squares = kAssumedGames * kGameVariance;
  double freedom = kAssumedGames;
  for (const JudgedMove& move : moves) {
    const Evidence& evidence = move.evidence;
    if (evidence.games() < 2) continue;
    const double mean = MeanResult(evidence);
    squares += evidence.wins + 0.25 * evidence.draws - evidence.games() * mean * mean;
    freedom += evidence.games() - 1.0;
  }
  // A floor, because games that all ended alike would leave no variance at all.
  return std::max(squares / freedom, 0.01);
}

double ErrorVariance(std::span<const Spread> moves, double game_variance, int assumed_moves) {
  const double assumed = assumed_moves * DefaultError();
  const double count = static_cast<double>(moves.size()) + assumed_moves;
  const auto excess = [&](double error) {
    double sum = assumed / error - count;
    for (const Spread& move : moves) {
      sum += move.squared / (game_variance * (error + 1 / move.games));
    }
    return sum;
  };
  // The sum of squares falls as the error grows, so bisection finds the root.
  double low = 1000.0 / PriorModel::kMostMilliGames;
  double high = 1000.0 / PriorModel::kLeastMilliGames;
  if (excess(low) <= 0) return low;
  if (excess(high) >= 0) return high;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

PriorModel FitPriorModel(std::span<const JudgedMove> all) {
  const std::vector<JudgedMove> moves = MostPlayed(all);
  if (moves.empty()) return {};
  const double game_variance = GameVariance(moves);
  double error = DefaultError();
  double scale = PriorModel().scale;
  std::vector<Spread> spreads(moves.size());
  for (int round = 0; round < kRounds; ++round) {
    scale = BestScale(moves, game_variance, error);
    for (size_t i = 0; i < moves.size(); ++i) {
      const double far =
          MeanResult(moves[i].evidence) - 1 / (1 + Exp(-moves[i].centipawns / scale));
      spreads[i] = {far * far, static_cast<double>(moves[i].evidence.games())};
    }
    error = ErrorVariance(spreads, game_variance, kAssumedMoves);
  }
  return {Rounded(scale, PriorModel::kLeastScale, PriorModel::kMostScale),
          Rounded(1000 / error, PriorModel::kLeastMilliGames, PriorModel::kMostMilliGames)};
}

}  // namespace joseki::book
