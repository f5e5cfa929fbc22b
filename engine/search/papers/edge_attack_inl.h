#pragma once

#include "engine/search/search_impl.h"

// Whether the root is ripe for an edge attack (TACOS), and which nodes below belong to one. The
// game answers; the search makes extensions of it.
namespace joseki {

template <Game G>
void Search<G>::Impl::RecogniseEdgeAttack() {
  edge_attack_ =
      options_.edge_attack == 2 || (options_.edge_attack == 1 && G::IsRipeForEdgeAttack(pos_));
}

// Which parts of a node have anything to do in this search, so that the plain path asks once where
// several options might be on.
template <Game G>
void Search<G>::Impl::ChooseParts() {
  const SearchOptions& o = options_;
  skips_more_ = o.no_deep_sacrifice != 0 || o.order_groups == 2;
  extends_before_ = o.forced_move > 0 || o.half_ply > 0 || o.piece_escape > 0 || edge_attack_ ||
                    o.check_extension == 2 || o.singular != 0;
  hints_more_ = o.order_groups != 0 || edge_attack_ || alike_ != nullptr;
}

// The move is about to be played at `ply`: the nodes below know of an edge attack that goes on
// there or begins with it, if it has depth to go on.
template <Game G>
void Search<G>::Impl::FollowEdgeAttack(int ply, Move move) {
  constexpr int kPliesToCome = 2;
  const bool begins = G::SideToMove(pos_) == root_side_ && ply + kPliesToCome <= root_depth_ &&
                      G::EdgeAttackStart(pos_) == move;
  if (begins) Fire(Technique::kEdgeAttack);
  FrameAt(ply + 1).attacks = FrameAt(ply).attacks || begins;
}

}  // namespace joseki
