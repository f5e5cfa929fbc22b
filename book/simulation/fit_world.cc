#include "book/simulation/fit_world.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/tuning/belief.h"

namespace joseki::book {
namespace {

constexpr size_t kMostPositions = 20'000;

double WorthOf(double score) {
  const double held = std::clamp(score, 0.001, 0.999);
  return kWorthScale * std::log(held / (1 - held));
}

// Derivative of the worth by the score, with the score clamped to [0.1, 0.9].
double WorthSlope(double score) {
  const double held = std::clamp(score, 0.1, 0.9);
  return kWorthScale / (held * (1 - held));
}

// A covariance within positions, about each position's mean, corrected for chance.
struct Within {
  double freedom = 0;
  double sum = 0;

  // Adds the moves of one position. `chance`: for each move, variance that is not a difference
  // between moves.
  void Add(std::span<const double> a, std::span<const double> b,
           std::span<const double> chance = {}) {
    if (a.size() < 2) return;
    const auto n = static_cast<double>(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
    const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
    sum -= (n - 1) / n * std::accumulate(chance.begin(), chance.end(), 0.0);
    freedom += n - 1;
  }
  double mean() const { return freedom > 0 ? sum / freedom : 0; }
};

// Positions' mean worths, and the part of a mean's variance that siblings and chance make.
struct Between {
  double positions = 0;
  double sum = 0;
  double squares = 0;
  double part_of_one = 0;  // sum of 1 / n over positions of n moves

  // Adds a position's mean over `moves` moves.
  void Add(double mean, size_t moves) {
    ++positions;
    sum += mean;
    squares += mean * mean;
    part_of_one += 1 / static_cast<double>(moves);
  }
  // `within`: variance of one worth about its position's mean, chance included.
  double Variance(double within) const {
    if (positions < 2) return 0;
    const double all = (squares - sum * sum / positions) / (positions - 1);
    return std::max(0.0, all - within * part_of_one / positions);
  }
};

// Least nodes of the class that `nodes` are of: 0, 500, 2,000, 8,000, ...
uint64_t NodesClass(uint64_t nodes) {
  uint64_t least = 500;
  if (nodes < least) return 0;
  while (4 * least <= nodes) least *= 4;
  return least;
}

// Mean score over all trials of a position.
double MeanOf(const std::vector<SeenMove>& position) {
  double trials = 0;
  double sum = 0;
  for (const SeenMove& move : position) {
    trials += move.trials;
    sum += move.trials * move.mean;
  }
  return trials > 0 ? sum / trials : 0.5;
}

// The value below which the share `part` of the weight lies. REQUIRES: not empty.
int Quantile(std::vector<std::pair<int, double>> weighed, double part) {
  std::sort(weighed.begin(), weighed.end());
  double left = 0;
  for (const auto& [value, weight] : weighed) left += part * weight;
  for (const auto& [value, weight] : weighed) {
    left -= weight;
    if (left <= 0) return value;
  }
  return weighed.back().first;
}

// Fits size and shape to the part of the book that its players reach.
void FitShape(const Graph& graph, NodeId start, WorldOptions& options) {
  std::vector<NodeId> order(graph.node_count());
  std::iota(order.begin(), order.end(), NodeId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return graph.node(a).ply < graph.node(b).ply; });
  std::vector<double> reach(graph.node_count());
  reach[start] = 1;
  std::vector<std::pair<int, double>> moves;
  std::vector<std::pair<int, double>> ends;
  size_t edges = 0;
  size_t known = 0;
  const int first = graph.node(start).ply;
  for (const NodeId id : order) {
    if (reach[id] == 0) continue;
    const Graph::Node& node = graph.node(id);
    double sum = 0;
    for (const Graph::Edge& edge : graph.moves(id)) {
      sum += std::max<double>(0, static_cast<double>(edge.base_weight));
    }
    if (node.count > 0) moves.emplace_back(node.count, reach[id]);
    double away = node.count > 0 && sum > 0 ? 0 : reach[id];
    for (const Graph::Edge& edge : graph.moves(id)) {
      if (sum == 0) break;
      const double through =
          reach[id] * std::max<double>(0, static_cast<double>(edge.base_weight)) / sum;
      ++edges;
      if (edge.to == kNoNode || graph.node(edge.to).ply <= node.ply) {
        away += through;
      } else {
        if (reach[edge.to] > 0) ++known;
        reach[edge.to] += through;
      }
    }
    if (away > 0) ends.emplace_back(node.ply - first, away);
  }
  options.positions = std::clamp<size_t>(graph.node_count(), 2, kMostPositions);
  if (!moves.empty()) {
    options.least_moves = std::max(1, Quantile(moves, 0.1));
    options.most_moves = std::max(options.least_moves, Quantile(moves, 0.9));
  }
  if (!ends.empty()) options.depth = std::max(1, Quantile(ends, 0.9));
  if (edges > 0) options.transposing = static_cast<double>(known) / static_cast<double>(edges);
}

}  // namespace

absl::StatusOr<FittedWorld> FitWorld(const SeenRun& run) {
  FittedWorld fitted;
  Within worths;
  Within observed;  // worths with chance
  Between between;
  Within errors;  // error of evaluations
  struct Errors {
    Within within;
    size_t moves = 0;
  };
  std::map<uint64_t, Errors> errors_by_nodes;
  // Over moves that have a share: variance of its logarithm, covariance with the worth, variance of
  // the worth.
  Within shares;
  Within shares_worths;
  Within shared_worths;
  for (const SeenPosition& position : run.positions) {
    std::vector<double> worth;
    std::vector<double> variance;
    std::vector<double> error;
    std::vector<double> error_variance;
    size_t grown = 0;
    std::vector<double> logarithm;
    std::vector<double> shared;
    std::vector<double> shared_variance;
    const double slope = WorthSlope(MeanOf(position.moves));
    for (const SeenMove& move : position.moves) {
      if (move.trials < kLeastTrials) continue;
      worth.push_back(slope * move.mean);
      variance.push_back(slope * slope * run.spread * run.spread / move.trials);
      if (move.evaluation) {
        error.push_back(slope * *move.evaluation - worth.back());
        error_variance.push_back(variance.back());
      }
      if (move.grown) ++grown;
      if (move.share > 0) {
        logarithm.push_back(std::log(move.share));
        shared.push_back(worth.back());
        shared_variance.push_back(variance.back());
      }
    }
    if (worth.size() < 2) continue;
    ++fitted.positions;
    fitted.moves += worth.size();
    fitted.grown += grown;
    worths.Add(worth, worth, variance);
    observed.Add(worth, worth);
    const double mean =
        std::accumulate(worth.begin(), worth.end(), 0.0) / static_cast<double>(worth.size());
    between.Add(WorthOf(mean / slope), worth.size());
    errors.Add(error, error, error_variance);
    if (error.size() > 1) {
      Errors& of = errors_by_nodes[NodesClass(position.nodes)];
      of.within.Add(error, error, error_variance);
      of.moves += error.size();
    }
    shares.Add(logarithm, logarithm);
    shares_worths.Add(logarithm, shared);
    shared_worths.Add(shared, shared, shared_variance);
  }
  if (fitted.positions < kLeastPositions) {
    return MakeProblem(
        {.code = "too_little",
         .found = absl::StrCat(fitted.positions, " positions with two moves of ", kLeastTrials,
                               " trials"),
         .expected = absl::StrCat("at least ", kLeastPositions, ": a run that went on for longer")},
        absl::StatusCode::kFailedPrecondition);
  }
  WorldOptions& options = fitted.options;
  FitShape(*run.graph, run.start, options);
  options.start_worth = WorthOf(run.start_score);
  options.mean_loss = std::sqrt(std::max(1.0, worths.mean()));
  if (errors.freedom > 0) {
    options.eval_deviation = std::sqrt(std::max(1.0, errors.mean()));
    const double of_score = options.eval_deviation / WorthSlope(0.5);
    options.eval_games = kGameVariance / (of_score * of_score);
  }
  const double apart = between.Variance(observed.mean());
  const double alike = apart + std::max(0.0, worths.mean());
  if (alike > 0) fitted.correlation = apart / alike;
  for (const auto& [nodes, of] : errors_by_nodes) {
    fitted.errors.push_back({.nodes = nodes,
                             .moves = of.moves,
                             .deviation = std::sqrt(std::max(0.0, of.within.mean()))});
  }
  const double differ = shared_worths.mean();
  const double choice = differ > 0 ? shares_worths.mean() / differ : 0;  // 1 / temperature
  if (choice > 0) {
    options.human_temperature = 1 / choice;
    const double left = std::max(0.0, shares.mean() - choice * choice * differ);
    options.human_noise = std::sqrt(left) / choice;
  }
  if (run.games > 0) {
    options.draws = static_cast<double>(run.draws) / static_cast<double>(run.games);
  }
  return fitted;
}

}  // namespace joseki::book
