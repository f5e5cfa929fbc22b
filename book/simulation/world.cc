#include "book/simulation/world.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "base/rng.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

double ScoreOf(double worth) { return 1 / (1 + Exp(-worth / kWorthScale)); }

double LogitOf(double score) { return Log(score / (1 - score)); }

double Exponential(double mean, Rng& rng) { return -mean * Log(1 - rng.Unit()); }

// A position while the book grows. Worths are for its side to move.
struct Draft {
  int ply = 0;
  double worth = 0;
  double reach = 0;  // frequency in games between players of the book
  struct Move {
    size_t to;
    double share;
  };
  std::vector<Move> moves;
};

class WorldMaker {
 public:
  WorldMaker(const WorldOptions& options, Rng& rng) : options_(options), rng_(rng) {}

  std::vector<Draft> Grow() {
    drafts_.push_back({0, options_.start_worth, 1, {}});
    layers_.resize(static_cast<size_t>(options_.depth) + 1);
    layers_[0].push_back(0);
    std::priority_queue<std::pair<double, size_t>> open;
    open.emplace(1.0, 0);
    while (!open.empty() && drafts_.size() < options_.positions) {
      const size_t node = open.top().second;
      open.pop();
      for (const size_t child : AddMoves(node)) {
        if (drafts_[child].ply < options_.depth) open.emplace(drafts_[child].reach, child);
      }
    }
    return std::move(drafts_);
  }

 private:
  // Returns the new positions.
  std::vector<size_t> AddMoves(size_t node) {
    const auto range =
        static_cast<uint64_t>(int64_t{options_.most_moves} - options_.least_moves + 1);
    const size_t count = static_cast<size_t>(options_.least_moves) + rng_.Below(range);
    std::vector<double> losses(count);
    for (double& loss : losses) loss = Exponential(options_.mean_loss, rng_);
    losses[rng_.Below(count)] = 0;
    std::vector<double> shares(count);
    for (size_t i = 0; i < count; ++i) {
      const double seen = losses[i] + options_.human_noise * Normal(rng_);
      shares[i] = Exp(-seen / options_.human_temperature);
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<size_t> fresh;
    for (size_t i = 0; i < count; ++i) {
      const double share = shares[i] / sum;
      const double worth = losses[i] - drafts_[node].worth;  // for the other side
      const int ply = drafts_[node].ply + 1;
      const bool transposes = rng_.Unit() < options_.transposing;
      const std::optional<size_t> known = transposes ? Nearest(node, ply, worth) : std::nullopt;
      const size_t to = known ? *known : drafts_.size();
      if (!known) {
        drafts_.push_back({ply, worth, 0, {}});
        layers_[static_cast<size_t>(ply)].push_back(to);
        fresh.push_back(to);
      }
      drafts_[to].reach += drafts_[node].reach * share;
      drafts_[node].moves.push_back({to, share});
    }
    return fresh;
  }

  // A position of this ply and similar worth to which no move of `node` leads yet.
  std::optional<size_t> Nearest(size_t node, int ply, double worth) const {
    constexpr double kNearly = 20;
    std::optional<size_t> nearest;
    for (const size_t other : layers_[static_cast<size_t>(ply)]) {
      const auto& moves = drafts_[node].moves;
      if (std::any_of(moves.begin(), moves.end(),
                      [other](const Draft::Move& move) { return move.to == other; })) {
        continue;
      }
      const double distance = std::abs(drafts_[other].worth - worth);
      if (distance > kNearly) continue;
      if (!nearest || distance < std::abs(drafts_[*nearest].worth - worth)) nearest = other;
    }
    return nearest;
  }

  const WorldOptions& options_;
  Rng& rng_;
  std::vector<Draft> drafts_;
  std::vector<std::vector<size_t>> layers_;
};

}  // namespace

std::optional<WorldOptions> NamedWorld(std::string_view name) {
  WorldOptions options;
  if (name == "mild") return options;
  if (name != "tacos") return std::nullopt;
  options.mean_loss = 200;
  options.human_noise = 150;
  options.eval_deviation = 150;
  options.eval_games = 60;
  return options;
}

World MakeWorld(const WorldOptions& options, uint64_t seed) {
  Rng rng(seed);
  std::vector<Draft> drafts = WorldMaker(options, rng).Grow();

  // Step 1: add noise to the ends of lines; the other worths follow from them, as moves lead only
  // to deeper positions.
  std::vector<size_t> by_depth(drafts.size());
  std::iota(by_depth.begin(), by_depth.end(), size_t{0});
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [&](size_t a, size_t b) { return drafts[a].ply > drafts[b].ply; });
  for (const size_t i : by_depth) {
    Draft& draft = drafts[i];
    if (draft.moves.empty()) {
      draft.worth += options.leaf_noise * Normal(rng);
      continue;
    }
    draft.worth = -drafts[draft.moves.front().to].worth;
    for (const Draft::Move& move : draft.moves) {
      draft.worth = std::max(draft.worth, -drafts[move.to].worth);
    }
  }

  // Step 2: one evaluation for each position.
  std::vector<double> evals;
  for (const Draft& draft : drafts) {
    evals.push_back(ScoreOf(draft.worth + options.eval_deviation * Normal(rng)));
  }

  // Step 3: the graph. Keys and moves are arbitrary but distinct.
  World world;
  Priors priors;
  std::vector<Graph::Node> nodes;
  std::vector<Graph::Edge> edges;
  for (size_t i = 0; i < drafts.size(); ++i) {
    const Draft& draft = drafts[i];
    Graph::Node node;
    node.key = {rng.Next(), i};
    node.first = static_cast<EdgeId>(edges.size());
    node.count = static_cast<uint16_t>(draft.moves.size());
    node.ply = static_cast<uint16_t>(draft.ply + 1);
    node.to_move = draft.ply % 2 == 0 ? Color::kFirst : Color::kSecond;
    nodes.push_back(node);
    // A softmax of the evaluations: a factor of e for every 120 centipawns.
    const auto eval = [&](size_t k) { return Exp(-5 * LogitOf(evals[draft.moves[k].to])); };
    double sum = 0;
    for (size_t k = 0; k < draft.moves.size(); ++k) sum += eval(k);
    for (size_t k = 0; k < draft.moves.size(); ++k) {
      const Draft::Move& move = draft.moves[k];
      const double share =
          (1 - options.evals_in_weights) * move.share + options.evals_in_weights * eval(k) / sum;
      const int64_t weight = std::max<int64_t>(1, std::llround(1000 * share));
      edges.push_back({Move(static_cast<uint16_t>(k + 1)), node.to_move, static_cast<NodeId>(i),
                       static_cast<NodeId>(move.to), weight});
      world.shares.push_back(move.share);
      world.evaluations.push_back(
          static_cast<int>(std::lround(kWorthScale * LogitOf(1 - evals[move.to]))));
      priors.push_back(
          {static_cast<float>(1 - evals[move.to]), static_cast<float>(options.eval_games)});
    }
    const double score = ScoreOf(draft.worth);
    world.score.push_back(node.to_move == Color::kFirst ? score : 1 - score);
  }
  world.graph = std::make_shared<const Graph>(Graph::OfParts(std::move(nodes), std::move(edges)));
  world.priors =
      std::make_shared<const Priors>(options.eval_games > 0 ? std::move(priors) : Priors());
  world.draws = options.draws;
  return world;
}

}  // namespace joseki::book
