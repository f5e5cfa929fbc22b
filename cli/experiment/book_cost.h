#pragma once

#include <cstdint>

namespace joseki::cli {

// The cost of making a book.
struct BookCost {
  uint64_t games = 0;
  uint64_t game_nodes = 0;
  uint64_t searches = 0;
  uint64_t search_nodes = 0;
  int64_t played_ms = 0;  // while its run was played
  // The cost in games. A search counts by its nodes over the mean nodes of this book's games, or
  // over `usual_nodes` where it has few games.
  double equivalents(double usual_nodes) const;
};

}  // namespace joseki::cli
