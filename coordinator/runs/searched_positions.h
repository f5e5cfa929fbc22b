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

// Which positions of a run's book are to be searched, by number: every one that a book move within
// reach of the lines leads to, once, those nearest to the start first. Immutable.
class SearchedPositions {
 public:
  // At most `most` positions (0: no limit) up to `most_plies` from the start. In proportion to the
  // book. InvalidArgument where the rules refuse a position of it.
  static absl::StatusOr<SearchedPositions> Make(const Rules& rules,
                                                std::shared_ptr<const book::Graph> graph,
                                                book::NodeId start, int most_plies, uint64_t most);
  // No position.
  static SearchedPositions None(std::shared_ptr<const book::Graph> graph, book::NodeId start);

  uint32_t size() const { return static_cast<uint32_t>(edges_.size()); }
  // The shortest line to a position.
  std::vector<Move> LineTo(uint32_t position) const;

  // The position where the line or the move leads, or that is packed; nullopt: it is not searched.
  std::optional<uint32_t> Of(const std::vector<Move>& line) const;
  std::optional<uint32_t> Of(book::EdgeId edge) const;
  std::optional<uint32_t> Of(const PackedPosition& packed) const;
  // By edge: number + 1 of the position that it leads to; 0: none that is searched.
  const std::shared_ptr<const std::vector<uint32_t>>& of_edge() const { return of_edge_; }

 private:
  SearchedPositions(std::shared_ptr<const book::Graph> graph, book::NodeId start);

  std::shared_ptr<const book::Graph> graph_;
  book::NodeId start_;
  std::vector<book::EdgeId> edges_;    // by position: the last of its line
  std::vector<book::EdgeId> came_by_;  // by node: the last edge of the line to it
  std::map<PackedPosition, uint32_t> find_;
  std::shared_ptr<const std::vector<uint32_t>> of_edge_;
};

}  // namespace joseki::coordinator
