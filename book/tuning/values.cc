#include "book/tuning/values.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

#include "book/tuning/exact_math.h"

namespace joseki::book {
Values::Values(const Graph& graph, const Estimator& estimator, std::span<const Arm> arms,
               std::shared_ptr<const Priors> priors)
    : graph_(&graph),
      estimator_(&estimator),
      moves_(graph.edge_count()),
      positions_(graph.node_count()),
      shares_(graph.edge_count()),
      log_shares_(graph.edge_count()),
      in_first_(graph.node_count() + 1),
      cut_(graph.edge_count()),
      rank_(graph.node_count()),
      queued_(graph.node_count()) {
  for (EdgeId edge = 0; edge < moves_.size(); ++edge) {
    if (const NodeId to = graph.edge(edge).to; to != kNoNode) ++in_first_[to + 1];
  }
  std::partial_sum(in_first_.begin(), in_first_.end(), in_first_.begin());
  in_.resize(in_first_.back());
  std::vector<uint32_t> next(in_first_.begin(), in_first_.end() - 1);
  for (EdgeId edge = 0; edge < moves_.size(); ++edge) {
    if (const NodeId to = graph.edge(edge).to; to != kNoNode) in_[next[to]++] = edge;
  }
  Order();
  TakePriors(arms, std::move(priors));
}

void Values::TakePriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors) {
  priors_ = std::move(priors);
  if (priors_ == nullptr || priors_->empty()) priors_ = std::make_shared<Priors>(moves_.size());
  assert(priors_->size() == moves_.size());
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    const Graph::Node& at = graph_->node(node);
    if (at.count == 0) continue;
    estimator_->Shares(arms.subspan(at.first, at.count),
                       std::span(*priors_).subspan(at.first, at.count),
                       std::span(shares_).subspan(at.first, at.count));
  }
  for (size_t i = 0; i < shares_.size(); ++i) log_shares_[i] = static_cast<float>(Log(shares_[i]));
}

// Depth-first search from the earliest positions of a game; an edge to an open position closes a
// cycle. A position gets its rank when it is left, after all positions below it.
void Values::Order() {
  std::vector<NodeId> roots(graph_->node_count());
  std::iota(roots.begin(), roots.end(), NodeId{0});
  std::stable_sort(roots.begin(), roots.end(), [this](NodeId a, NodeId b) {
    return graph_->node(a).ply < graph_->node(b).ply;
  });
  enum : uint8_t { kNew, kOpen, kLeft };
  std::vector<uint8_t> state(graph_->node_count(), kNew);
  struct Frame {
    NodeId node;
    EdgeId next;
  };
  std::vector<Frame> stack;
  const auto open = [&](NodeId node) {
    state[node] = kOpen;
    stack.push_back({node, graph_->stop(node).first});
  };
  by_rank_.reserve(roots.size());
  for (const NodeId root : roots) {
    if (state[root] != kNew) continue;
    open(root);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const Graph::Stop& at = graph_->stop(frame.node);
      if (frame.next == at.first + at.count) {
        state[frame.node] = kLeft;
        rank_[frame.node] = static_cast<uint32_t>(by_rank_.size());
        by_rank_.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      const EdgeId edge = frame.next++;
      const NodeId to = graph_->edge(edge).to;
      if (to == kNoNode) continue;
      if (state[to] == kOpen) {
        cut_[edge] = 1;
      } else if (state[to] == kNew) {
        open(to);
      }
    }
  }
}

Tally Values::TallyOf(std::span<const Arm> arms, NodeId node) const {
  const Graph::Stop& at = graph_->stop(node);
  const DrawValue draw = estimator_->draw_value();
  Tally tally;
  for (const Arm& arm : arms.subspan(at.first, at.count)) {
    tally.games += arm.evidence.games();
    tally.points += draw.Points(arm.evidence, at.to_move);
  }
  int64_t came = 0;
  int64_t came_points = 0;  // for the side to move here, which did not play the moves that led here
  for (uint32_t i = in_first_[node]; i < in_first_[node + 1]; ++i) {
    const Evidence& evidence = arms[in_[i]].evidence;
    came += evidence.games();
    came_points += 1000 * int64_t{evidence.games()} - draw.Points(evidence, ~at.to_move);
    const Prior& prior = (*priors_)[in_[i]];
    if (prior.games > tally.prior.games) tally.prior = {1 - prior.value, prior.games};
  }
  // Lines that begin or re-enter here make the difference smaller, or negative.
  if (came > tally.games) {
    tally.stopped = came - tally.games;
    tally.stopped_points = std::clamp<int64_t>(came_points - tally.points, 0, 1000 * tally.stopped);
  }
  return tally;
}

bool Values::Compute(std::span<const Arm> arms, NodeId node) {
  const Graph::Stop& at = graph_->stop(node);
  const Tally tally = TallyOf(arms, node);
  const Choices choices = At(arms, node);
  for (size_t i = 0; i < at.count; ++i) {
    const EdgeId edge = at.first + static_cast<EdgeId>(i);
    const NodeId to = graph_->edge(edge).to;
    if (to != kNoNode && !Cut(edge) && positions_[to].own.known()) {
      moves_[edge] = positions_[to].Flipped();
    } else {
      moves_[edge] = estimator_->OfMove(choices, i);
    }
  }
  estimator_->Compare(choices, tally, std::span(moves_).subspan(at.first, at.count));
  const Value value = estimator_->OfPosition(choices, tally);
  return std::exchange(positions_[node], value) != value;
}

void Values::SetPriors(std::span<const Arm> arms, std::shared_ptr<const Priors> priors) {
  TakePriors(arms, std::move(priors));
  Rebuild(arms);
}

void Values::Rebuild(std::span<const Arm> arms) {
  for (const NodeId node : by_rank_) Compute(arms, node);
}

void Values::Push(NodeId node) {
  if (std::exchange(queued_[node], 1) != 0) return;
  queue_.push_back(rank_[node]);
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void Values::Update(std::span<const Arm> arms, std::span<const EdgeId> edges) {
  touched_.clear();
  for (const EdgeId edge : edges) {
    Push(graph_->edge(edge).from);
    if (const NodeId to = graph_->edge(edge).to; to != kNoNode) Push(to);
  }
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const NodeId node = by_rank_[queue_.back()];
    queue_.pop_back();
    queued_[node] = 0;
    touched_.push_back(node);
    if (!Compute(arms, node)) continue;
    for (uint32_t i = in_first_[node]; i < in_first_[node + 1]; ++i) {
      if (!Cut(in_[i])) Push(graph_->edge(in_[i]).from);
    }
  }
}

Choices Values::At(std::span<const Arm> arms, NodeId node) const {
  const Graph::Stop& at = graph_->stop(node);
  Choices choices;
  choices.arms = arms.subspan(at.first, at.count);
  choices.mover = at.to_move;
  choices.values = std::span<const Value>(moves_).subspan(at.first, at.count);
  choices.priors = std::span<const Prior>(*priors_).subspan(at.first, at.count);
  choices.shares = std::span<const float>(shares_).subspan(at.first, at.count);
  choices.log_shares = std::span<const float>(log_shares_).subspan(at.first, at.count);
  return choices;
}

}  // namespace joseki::book
