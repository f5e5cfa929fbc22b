#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Numbered positions of a run's book that are searched: each position within reach of the lines
// that a book move leads to. Those nearest to the start come first. Immutable.
class SearchedPositions {
 public:
  // At most `most` positions (0: no limit) up to `most_plies` from the start. Takes time in
  // proportion to the book. InvalidArgument if the rules refuse a position of it.
  static absl::StatusOr<SearchedPositions> Make(const Rules& rules,
                                                std::shared_ptr<const book::Graph> graph,
                                                book::NodeId start, int most_plies, uint64_t most);
  // An empty set.
  static SearchedPositions None(std::shared_ptr<const book::Graph> graph, book::NodeId start);

  uint32_t size() const { return static_cast<uint32_t>(edges_.size()); }
  // Shortest line to the position.
  std::vector<Move> LineTo(uint32_t position) const;

  // Number of the position that the line or the move leads to, or that is packed; nullopt: not
  // searched.
  std::optional<uint32_t> Of(const std::vector<Move>& line) const;
  std::optional<uint32_t> Of(book::EdgeId edge) const;
  std::optional<uint32_t> Of(const PackedPosition& packed) const;
  // By edge: number + 1 of the position behind it; 0: none that is searched.
  const std::shared_ptr<const std::vector<uint32_t>>& of_edge() const { return of_edge_; }

 private:
  SearchedPositions(std::shared_ptr<const book::Graph> graph, book::NodeId start);

  std::shared_ptr<const book::Graph> graph_;
  book::NodeId start_;
  std::vector<book::EdgeId> edges_;    // by position: the last edge of its line
  std::vector<book::EdgeId> came_by_;  // by node: the last edge of the line to it
  std::map<PackedPosition, uint32_t> find_;
  std::shared_ptr<const std::vector<uint32_t>> of_edge_;
};

}  // namespace joseki::coordinator
