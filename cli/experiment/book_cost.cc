#include "cli/experiment/book_cost.h"

namespace joseki::cli {

double BookCost::equivalents(double usual_nodes) const {
  constexpr uint64_t kEnough = 100;
  const double of_game = games >= kEnough && game_nodes > 0
                             ? static_cast<double>(game_nodes) / static_cast<double>(games)
                             : usual_nodes;
  return static_cast<double>(games) + static_cast<double>(search_nodes) / of_game;
}

}  // namespace joseki::cli
