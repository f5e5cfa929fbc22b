#include "book/tuning/frozen_arms.h"

#include <utility>

namespace joseki::book {

FrozenArms::FrozenArms(std::shared_ptr<const Graph> graph, std::shared_ptr<const Orbits> orbits)
    : graph_(std::move(graph)),
      arms_(std::vector<Arm>(graph_->edge_count()), std::move(orbits)),
      held_(graph_->node_count()) {}

void FrozenArms::HoldNode(const FoldedArms& present, NodeId node) {
  if (held_[node] == freezes_) return;
  held_[node] = freezes_;
  const Graph::Stop& at = graph_->stop(node);
  arms_.Copy(present, at.first, at.count);
}

void FrozenArms::Hold(const FoldedArms& present, EdgeId edge) {
  HoldNode(present, graph_->edge(edge).from);
  for (const EdgeId other : present.OthersOf(edge)) HoldNode(present, graph_->edge(other).from);
}

void FrozenArms::Load(const FoldedArms& present, EdgeId edge, int64_t sum,
                      const Evidence& evidence) {
  Hold(present, edge);
  arms_.Change(edge, [&](Arm& arm) {
    arm.sum = sum;
    arm.evidence = evidence;
  });
}

void FrozenArms::ChangeInFlight(EdgeId edge, uint32_t by) {
  arms_.ChangeInFlight(edge, by, [this](EdgeId at) { return holds(at); });
}

std::span<const Arm> FrozenArms::At(const FoldedArms& present, NodeId node) {
  HoldNode(present, node);
  const Graph::Stop& at = graph_->stop(node);
  return arms_.pooled().subspan(at.first, at.count);
}

const Arm& FrozenArms::Own(const FoldedArms& present, EdgeId edge) const {
  return holds(edge) ? arms_.own()[edge] : present.own()[edge];
}

}  // namespace joseki::book
