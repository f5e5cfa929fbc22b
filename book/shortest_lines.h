#pragma once

#include <optional>
#include <vector>

#include "book/graph.h"

namespace joseki::book {

// The shortest line of book moves from one position to each of the others. Among lines of equal
// length the likeliest by the shares of base weights is taken, then the one with the lower edges.
// Time and memory are linear in the size of the book.
class ShortestLines {
 public:
  // `graph` must outlive this.
  ShortestLines(const Graph& graph, NodeId start);

  // Empty for the start itself; nullopt if no line leads to `node`.
  std::optional<std::vector<Move>> To(NodeId node) const;

 private:
  const Graph& graph_;
  NodeId start_;
  std::vector<EdgeId> came_by_;  // by node: the last edge of its line
};

}  // namespace joseki::book
