#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/search_impl.h"

// DEEP BLUE's extended book (M. Campbell, J. Hoane and F. Hsu): what master practice says of a move
// is a bonus inside the search, no order. Nodes near the root ask for it, so that asking costs
// little beside what lies below such a node.
namespace joseki {

template <Game G>
void Search<G>::Papers::AskFavours(int ply) {
  if (favours_ == nullptr || ply >= kFavourPlies) return;
  Favoured& favoured = favoured_[ply];
  favoured.count = std::min(favours_->At(search_.pos_, favoured.moves), kMostFavours);
}

// SearchMove with the move's bonus in its value, and that of practice; any hooks. The window is
// moved instead of the values below, so that what the table holds of the child is its own.
template <Game G>
template <bool kPv>
Value Search<G>::Papers::SearchFavoured(const Node& node, const Candidate& candidate, Value alpha,
                                        Value beta, Value bonus) {
  if (favours_ != nullptr && node.ply < kFavourPlies) {
    const Favoured& favoured = favoured_[node.ply];
    for (size_t i = 0; i < favoured.count; ++i) {
      if (favoured.moves[i].move == candidate.move) bonus += favoured.moves[i].bonus;
    }
  }
  // No practice makes up for a mate.
  const auto moved = [&](Value bound) {
    return std::abs(bound) >= search_internal::kValueRepetitionWin ? bound : bound - bonus;
  };
  const bool apart = moved(alpha) < moved(beta) && (kPv || moved(alpha) + 1 == moved(beta));
  if (bonus == 0 || !apart) {
    return search_.template SearchMove<kPv>(node, candidate, alpha, beta);
  }
  const Value value = search_.template SearchMove<kPv>(node, candidate, moved(alpha), moved(beta));
  return std::abs(value) >= search_internal::kValueRepetitionWin ? value : value + bonus;
}

}  // namespace joseki
