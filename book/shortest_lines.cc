#include "book/shortest_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace joseki::book {
namespace {

// Shares of a node's moves by base weight, equal shares where all weights are zero. Logarithms,
// because the probability of a long line would underflow.
class LogShares {
 public:
  explicit LogShares(std::span<const Graph::Edge> moves)
      : alike_(1 / std::max(1.0, static_cast<double>(moves.size()))) {
    for (const Graph::Edge& edge : moves) sum_ += WeightOf(edge);
  }

  double operator()(const Graph::Edge& edge) const {
    return std::log(sum_ > 0 ? WeightOf(edge) / sum_ : alike_);
  }

 private:
  static double WeightOf(const Graph::Edge& edge) {
    return static_cast<double>(std::max<int64_t>(0, edge.base_weight));
  }

  const double alike_;
  double sum_ = 0;
};

}  // namespace

ShortestLines::ShortestLines(const Graph& graph, NodeId start)
    : graph_(graph), start_(start), came_by_(graph.node_count(), kNoEdge) {
  std::vector<double> chance(graph.node_count());  // log probability of the line
  std::vector<int> length(graph.node_count());
  std::vector<NodeId> level = {start};
  for (int ply = 1; !level.empty(); ++ply) {
    std::vector<NodeId> next;
    for (const NodeId node : level) {
      const LogShares shares(graph.moves(node));
      for (const Graph::Edge& edge : graph.moves(node)) {
        const NodeId to = edge.to;
        if (to == kNoNode || to == start) continue;
        const bool is_new = came_by_[to] == kNoEdge;
        const double here = chance[node] + shares(edge);
        if (!is_new && (length[to] != ply || here <= chance[to])) continue;
        came_by_[to] = graph.IdOf(edge);
        chance[to] = here;
        length[to] = ply;
        if (is_new) next.push_back(to);
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
