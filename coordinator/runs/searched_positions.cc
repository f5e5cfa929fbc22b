#include "coordinator/runs/searched_positions.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "book/tuning/line.h"

namespace joseki::coordinator {

SearchedPositions::SearchedPositions(std::shared_ptr<const book::Graph> graph, book::NodeId start)
    : graph_(std::move(graph)),
      start_(start),
      came_by_(graph_->node_count(), book::kNoEdge),
      of_edge_(std::make_shared<const std::vector<uint32_t>>(graph_->edge_count())) {}

SearchedPositions SearchedPositions::None(std::shared_ptr<const book::Graph> graph,
                                          book::NodeId start) {
  return SearchedPositions(std::move(graph), start);
}

absl::StatusOr<SearchedPositions> SearchedPositions::Make(const Rules& rules,
                                                          std::shared_ptr<const book::Graph> graph,
                                                          book::NodeId start, int most_plies,
                                                          uint64_t most) {
  SearchedPositions made(std::move(graph), start);
  const book::Graph& book = *made.graph_;
  std::vector<uint32_t> of_edge(book.edge_count());
  // Breadth first, so that each line is as short as possible.
  std::vector<book::NodeId> level = {start};
  std::vector<bool> seen(book.node_count());
  seen[start] = true;
  Expansion expansion;
  std::vector<Move> moves;
  for (int ply = 0; ply < most_plies && !level.empty(); ++ply) {
    std::vector<book::NodeId> next;
    for (const book::NodeId node : level) {
      const book::Graph::Node& at = book.node(node);
      moves.clear();
      for (const book::Graph::Edge& edge : book.moves(node)) moves.push_back(edge.move);
      if (moves.empty()) continue;
      RETURN_IF_ERROR(rules.Expand(at.packed, moves, expansion));
      for (size_t i = 0; i < moves.size(); ++i) {
        const book::EdgeId edge = at.first + static_cast<book::EdgeId>(i);
        const book::NodeId to = book.target(edge);
        if (!expansion.children[i]) continue;  // never, in a book that was built
        const PackedPosition& packed = expansion.children[i]->packed;
        auto found = made.find_.find(packed);
        if (found == made.find_.end() && (most == 0 || made.size() < most)) {
          found = made.find_.emplace(packed, made.size()).first;
          made.edges_.push_back(edge);
        }
        if (found != made.find_.end()) of_edge[edge] = found->second + 1;
        if (to == book::kNoNode || seen[to]) continue;
        seen[to] = true;
        made.came_by_[to] = edge;
        next.push_back(to);
      }
    }
    level = std::move(next);
  }
  made.of_edge_ = std::make_shared<const std::vector<uint32_t>>(std::move(of_edge));
  return made;
}

std::vector<Move> SearchedPositions::LineTo(uint32_t position) const {
  std::vector<Move> line;
  book::EdgeId edge = edges_[position];
  while (edge != book::kNoEdge) {
    const book::Graph::Edge& at = graph_->edge(edge);
    line.push_back(at.move);
    edge = at.from == start_ ? book::kNoEdge : came_by_[at.from];
  }
  std::reverse(line.begin(), line.end());
  return line;
}

std::optional<uint32_t> SearchedPositions::Of(const std::vector<Move>& line) const {
  const std::vector<book::EdgeId> edges = book::EdgesOf(*graph_, start_, line);
  if (edges.empty() || edges.size() != line.size()) return std::nullopt;
  return Of(edges.back());
}

std::optional<uint32_t> SearchedPositions::Of(book::EdgeId edge) const {
  const uint32_t position = (*of_edge_)[edge];
  if (position == 0) return std::nullopt;
  return position - 1;
}

std::optional<uint32_t> SearchedPositions::Of(const PackedPosition& packed) const {
  const auto found = find_.find(packed);
  if (found == find_.end()) return std::nullopt;
  return found->second;
}

}  // namespace joseki::coordinator
