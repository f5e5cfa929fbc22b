#pragma once

#include <optional>
#include <vector>

#include "book/graph.h"

namespace joseki::book {

// The shortest line of book moves from a position to each of the others; of several, the likeliest
// by the shares of the base weights along it, then the one of the lower edges. In proportion to the
// book.
class ShortestLines {
 public:
  // `graph` must outlive this.
  ShortestLines(const Graph& graph, NodeId start);

  // Empty for the start itself; nullopt where no line leads.
  std::optional<std::vector<Move>> To(NodeId node) const;

 private:
  const Graph& graph_;
  NodeId start_;
  std::vector<EdgeId> came_by_;  // by node: the last edge of its line
};

}  // namespace joseki::book
