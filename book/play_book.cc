#include "book/play_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace joseki::book {
namespace {

constexpr double kShippedScale = 1000;
constexpr double kMostShipped =
    1e11;  // bound of a shipped weight, well within kMaxBaseWeight even when lifted

using MoveWeights = std::span<const double>;

size_t ByRange(MoveWeights weights, double range, Rng& rng) {
  size_t best = 0;
  double best_value = 0;
  uint64_t ties = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const double value = weights[i] + range * rng.Unit();
    if (i == 0 || value > best_value) {
      best = i;
      best_value = value;
      ties = 1;
    } else if (value == best_value && rng.Below(++ties) == 0) {
      best = i;
    }
  }
  return best;
}

size_t ByShare(MoveWeights weights, Rng& rng) {
  double sum = 0;
  for (const double weight : weights) sum += std::max(0.0, weight);
  if (sum <= 0) return rng.Below(weights.size());
  double left = sum * rng.Unit();
  size_t chosen = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    chosen = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return chosen;
}

}  // namespace

PlayBook MakePlayBook(std::shared_ptr<const Graph> graph, std::vector<double> weights,
                      std::vector<EdgeId> answers) {
  PlayBook book{std::move(graph), std::move(weights), std::move(answers), 0};
  for (NodeId id = 0; id < book.graph->node_count(); ++id) {
    const Graph::Node& node = book.graph->node(id);
    if (node.count == 0) continue;
    const auto [least, most] = std::minmax_element(book.weights.begin() + node.first,
                                                   book.weights.begin() + node.first + node.count);
    book.gap = std::max(book.gap, *most - *least);
  }
  return book;
}

absl::StatusOr<Graph> ShippedBook(const Rules& rules, const PlayBook& book) {
  std::vector<GraphInput> positions;
  for (NodeId id = 0; id < book.graph->node_count(); ++id) {
    const Graph::Node& node = book.graph->node(id);
    GraphInput& position = positions.emplace_back(GraphInput{node.packed, node.ply, {}});
    const EdgeId answer = book.answers[id];
    int64_t most = -kMaxBaseWeight;
    EdgeId first = kNoEdge;
    for (EdgeId edge = node.first; edge < node.first + node.count; ++edge) {
      const double weight = book.weights[edge];
      const int64_t whole =
          std::isnan(weight)
              ? 0
              : std::llround(std::clamp(weight * kShippedScale, -kMostShipped, kMostShipped));
      if (first == kNoEdge || whole > most) {
        first = edge;
        most = whole;
      }
      position.moves.push_back({book.graph->edge(edge).move, whole});
    }
    if (answer != kNoEdge && first != answer) {
      position.moves[answer - node.first].base_weight = most + static_cast<int64_t>(kShippedScale);
    }
  }
  return Graph::Build(rules, std::move(positions));
}

PlayBook PlayBookOf(std::shared_ptr<const Graph> shipped) {
  std::vector<double> weights;
  std::vector<EdgeId> answers(shipped->node_count(), kNoEdge);
  weights.reserve(shipped->edge_count());
  for (NodeId id = 0; id < shipped->node_count(); ++id) {
    for (const Graph::Edge& edge : shipped->moves(id)) {
      const auto at = static_cast<EdgeId>(weights.size());
      weights.push_back(static_cast<double>(edge.base_weight) / kShippedScale);
      if (answers[id] == kNoEdge || weights[at] > weights[answers[id]]) answers[id] = at;
    }
  }
  return MakePlayBook(std::move(shipped), std::move(weights), std::move(answers));
}

BookWord AskBook(const PlayBook& book, const PlayRules& rules, const Key& key, int ply, bool seen,
                 Rng& rng) {
  if (seen || (rules.max_plies > 0 && ply >= rules.max_plies)) return {};
  const NodeId id = book.graph->Find(key);
  if (id == kNoNode || book.graph->node(id).count == 0) return {};
  const Graph::Node& node = book.graph->node(id);
  if (rng.Unit() < rules.deviation && !node.closed) return {Move(), book.graph->moves(id)};
  const MoveWeights weights = MoveWeights(book.weights).subspan(node.first, node.count);
  EdgeId edge = book.answers[id];
  if (rules.choice == PlayRules::Choice::kRange) {
    edge = node.first + static_cast<EdgeId>(ByRange(weights, rules.range * book.gap, rng));
  } else if (rules.choice == PlayRules::Choice::kShare) {
    edge = node.first + static_cast<EdgeId>(ByShare(weights, rng));
  }
  return {book.graph->edge(edge).move, {}};
}

}  // namespace joseki::book
