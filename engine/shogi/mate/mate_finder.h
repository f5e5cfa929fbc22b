#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/core/game.h"
#include "engine/shogi/mate/depth_mate_search.h"
#include "engine/shogi/mate/mate_search.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// Mate searches of few nodes for use inside another search: small tables, no state kept between
// calls, no line. Deterministic.
class MateFinder {
 public:
  MateFinder() : search_(kTableBytes) {}

  // Makes Find search by depth, up to `plies`, without the moves that `cuts` (MateCut) leave out; 0
  // plies: by proof numbers.
  void Use(int plies, unsigned cuts) {
    plies_ = plies;
    cuts_ = cuts;
    if (plies > 0 && by_depth_ == nullptr) {
      by_depth_ = std::make_unique<DepthMateSearch>(kTableBytes);
    }
  }

  // Decides whether the side to move mates by checks alone, within `nodes` or until `stop` (may be
  // null). REQUIRES: nodes >= 1.
  MateProbe Find(Position& position, uint64_t nodes, const std::atomic<bool>* stop) {
    if (plies_ == 0) return Prove(position, nodes, stop);
    return by_depth_->Find(position, plies_, cuts_, {.nodes = nodes}, stop);
  }
  // Like Find, always by proof numbers and without cuts.
  MateProbe Prove(Position& position, uint64_t nodes, const std::atomic<bool>* stop) {
    search_.Begin(position.side_to_move());
    search_.SetLimits(nodes, MateSearch::Time::max(), stop);
    MateKnowledge proof;
    const bool mate = search_.Prove(position, proof) == MateVerdict::kMate;
    return {mate ? proof.move : Move(), mate ? proof.plies : 0, search_.nodes()};
  }

 private:
  static constexpr size_t kTableBytes = size_t{1} << 18;

  MateSearch search_;
  int plies_ = 0;
  unsigned cuts_ = 0;
  std::unique_ptr<DepthMateSearch> by_depth_;  // created on first use
};

}  // namespace joseki::shogi
