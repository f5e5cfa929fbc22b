#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/papers/bonuses.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
void Search<G>::Papers::Bonuses::Ask(int ply) {
  if (favours_ == nullptr || ply >= kPlies) return;
  Favoured& favoured = favoured_[ply];
  favoured.count = std::min(favours_->At(tree_.pos_, favoured.moves), kMost);
}

template <Game G>
template <bool kPv>
Value Search<G>::Papers::Bonuses::SearchMove(const Node& node, const Candidate& candidate,
                                             Value alpha, Value beta, Value bonus) {
  if (favours_ != nullptr && node.ply < kPlies) {
    const Favoured& favoured = favoured_[node.ply];
    for (size_t i = 0; i < favoured.count; ++i) {
      if (favoured.moves[i].move == candidate.move) bonus += favoured.moves[i].bonus;
    }
  }
  // A bonus never outweighs a mate.
  const auto moved = [&](Value bound) {
    return std::abs(bound) >= search_internal::kValueRepetitionWin ? bound : bound - bonus;
  };
  const bool apart = moved(alpha) < moved(beta) && (kPv || moved(alpha) + 1 == moved(beta));
  if (bonus == 0 || !apart) {
    return tree_.template SearchMove<kPv>(node, candidate, alpha, beta);
  }
  const Value value = tree_.template SearchMove<kPv>(node, candidate, moved(alpha), moved(beta));
  return std::abs(value) >= search_internal::kValueRepetitionWin ? value : value + bonus;
}

}  // namespace joseki
