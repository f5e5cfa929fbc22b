#pragma once

#include <cstdint>

#include "engine/core/game.h"
#include "engine/mate/mate_search.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Mate searches of few nodes for another search: small tables, nothing kept from one to the next,
// no line. The same calls give the same results everywhere.
class MateFinder {
 public:
  MateFinder() : search_(kTableBytes) {}

  // Whether the side to move mates by checks alone, as far as `nodes` tell. REQUIRES: nodes >= 1.
  MateProbe Find(Position& position, uint64_t nodes) {
    search_.Begin(position.side_to_move());
    search_.SetLimits(nodes, MateSearch::Time::max(), nullptr);
    MateKnowledge proof;
    const bool mate = search_.Prove(position, proof) == MateVerdict::kMate;
    return {mate ? proof.move : Move(), mate ? proof.plies : 0, search_.nodes()};
  }

 private:
  static constexpr size_t kTableBytes = size_t{1} << 18;

  MateSearch search_;
};

}  // namespace joseki::shogi
