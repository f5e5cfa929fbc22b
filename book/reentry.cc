#include "book/reentry.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

constexpr int64_t kScale = 1000;
// Label of the random streams of shares, for a position as for a slot.
constexpr uint64_t kShareStream = 0x736861;
constexpr double kMost = 1e18;  // bound of a weight, well within 64 bits even when lifted

int64_t Rounded(double weight) {
  if (std::isnan(weight)) return 0;
  return std::llround(std::clamp(weight * static_cast<double>(kScale), -kMost, kMost));
}

}  // namespace

EdgeId AnswerOf(const Graph& graph, std::span<const int64_t> weights, NodeId node) {
  const Graph::Node& at = graph.node(node);
  if (at.count == 0) return kNoEdge;
  const std::span<const int64_t> choices = weights.subspan(at.first, at.count);
  const auto best = std::max_element(choices.begin(), choices.end());
  return at.first + static_cast<EdgeId>(best - choices.begin());
}

void SetWeights(const Tuner& tuner, std::span<const NodeId> nodes, Weights& weights) {
  const Graph& graph = tuner.graph();
  for (const NodeId node : nodes) {
    const Graph::Node& at = graph.node(node);
    if (at.count == 0) continue;
    const Choices choices = tuner.choices(node);
    for (size_t i = 0; i < at.count; ++i) {
      weights[at.first + i] = Rounded(tuner.policy().Weight(choices, i));
    }
    const EdgeId answer = at.first + static_cast<EdgeId>(tuner.policy().Answer(choices));
    const EdgeId found = AnswerOf(graph, weights, node);
    // Lifts by a whole unit, so that integer weights stay multiples of kScale.
    if (found != answer) weights[answer] = weights[found] + kScale;
  }
}

Weights WeightsOf(const Tuner& tuner) {
  std::vector<NodeId> nodes(tuner.graph().node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  Weights weights(tuner.graph().edge_count(), 0);
  SetWeights(tuner, nodes, weights);
  return weights;
}

void SetShares(const Tuner& tuner, int stage, std::span<const NodeId> nodes, Weights& weights) {
  const Graph& graph = tuner.graph();
  std::vector<Arm> arms;
  for (const NodeId node : nodes) {
    const Graph::Node& at = graph.node(node);
    if (at.count == 0) continue;
    Choices choices = tuner.choices(node);
    arms.assign(choices.arms.begin(), choices.arms.end());
    for (Arm& arm : arms) arm.in_flight = 0;
    choices.arms = arms;
    const auto shares = std::span(weights).subspan(at.first, at.count);
    std::fill(shares.begin(), shares.end(), 0);
    Rng rng = Rng(at.key.lo).Split(kShareStream);
    Turn turn(stage);
    turn.at_start = false;
    for (int i = 0; i < kTries; ++i) {
      turn.line = (rng.Next() & ~uint64_t{1}) | Index(at.to_move);
      shares[tuner.policy().Choose(choices, turn, rng)] += kScale;
    }
  }
}

Weights SharesOf(const Tuner& tuner, int stage) {
  std::vector<NodeId> nodes(tuner.graph().node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  Weights weights(tuner.graph().edge_count(), 0);
  SetShares(tuner, stage, nodes, weights);
  return weights;
}

void KeepOwn(const Graph& graph, std::optional<Color> own, std::vector<EdgeId>& edges) {
  if (!own) return;
  std::erase_if(edges, [&](EdgeId edge) { return graph.edge(edge).mover != *own; });
}

EdgeId Follower::Choose() const {
  if (!own_) return AnswerOf(*book_.graph, *book_.weights, node_);
  const Graph::Node& at = book_.graph->node(node_);
  if (at.count == 0 || at.to_move != own_->color) return kNoEdge;
  const std::span<const int64_t> shares = std::span(*book_.weights).subspan(at.first, at.count);
  uint64_t sum = 0;
  for (const int64_t share : shares) sum += static_cast<uint64_t>(std::max<int64_t>(0, share));
  if (sum == 0) return AnswerOf(*book_.graph, *book_.weights, node_);
  uint64_t left = Rng(own_->seed).Split(kShareStream).Split(plies_).Below(sum);
  for (EdgeId i = 0;; ++i) {
    const auto share = static_cast<uint64_t>(std::max<int64_t>(0, shares[i]));
    if (left < share) return at.first + i;
    left -= share;
  }
}

std::optional<Move> Follower::See(const Key& key) {
  node_ = book_.graph->Find(key);
  if (node_ == kNoNode) return std::nullopt;
  const bool fresh = std::find(seen_.begin(), seen_.end(), node_) == seen_.end();
  if (!fresh) return std::nullopt;
  seen_.push_back(node_);
  if (plies_ <= line_plies_) return std::nullopt;
  const EdgeId answer = Choose();
  if (answer == kNoEdge) return std::nullopt;
  return book_.graph->edge(answer).move;
}

void Follower::Played(Move move) {
  if (node_ != kNoNode && plies_ >= line_plies_) {
    const EdgeId edge = book_.graph->FindMove(node_, move);
    const bool ours = !own_ || book_.graph->node(node_).to_move == own_->color;
    if (edge != kNoEdge && ours) edges_.push_back(edge);
  }
  ++plies_;
}

absl::StatusOr<std::vector<EdgeId>> ReenteredEdges(const Rules& rules, const Graph& graph,
                                                   std::string_view start,
                                                   std::span<const Move> moves, size_t line_plies,
                                                   std::optional<Color> own) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> state, rules.Start(start, MatchRules()));
  std::vector<EdgeId> edges;
  for (size_t ply = 0; ply < moves.size(); ++ply) {
    if (ply >= line_plies) {
      const NodeId node = graph.Find(state->key());
      const EdgeId edge = node == kNoNode ? kNoEdge : graph.FindMove(node, moves[ply]);
      if (edge != kNoEdge) edges.push_back(edge);
    }
    if (!state->Play(moves[ply])) {
      return MakeProblem(
          {.code = "illegal_move", .found = rules.Text(moves[ply]), .expected = "a legal move"});
    }
  }
  KeepOwn(graph, own, edges);
  return edges;
}

}  // namespace joseki::book
