#include "book/shortest_lines.h"

#include <algorithm>
#include <utility>

namespace joseki::book {

ShortestLines::ShortestLines(const Graph& graph, NodeId start)
    : graph_(graph), start_(start), came_by_(graph.node_count(), kNoEdge) {
  std::vector<NodeId> level = {start};
  while (!level.empty()) {
    std::vector<NodeId> next;
    for (const NodeId node : level) {
      for (const Graph::Edge& edge : graph.moves(node)) {
        if (edge.to == kNoNode || edge.to == start || came_by_[edge.to] != kNoEdge) continue;
        came_by_[edge.to] = graph.IdOf(edge);
        next.push_back(edge.to);
      }
    }
    level = std::move(next);
  }
}

std::optional<std::vector<Move>> ShortestLines::To(NodeId node) const {
  std::vector<Move> line;
  while (node != start_) {
    const EdgeId edge = came_by_[node];
    if (edge == kNoEdge) return std::nullopt;
    line.push_back(graph_.edge(edge).move);
    node = graph_.edge(edge).from;
  }
  std::reverse(line.begin(), line.end());
  return line;
}

}  // namespace joseki::book
