#pragma once

#include "engine/search/search_impl.h"

namespace joseki {

// Notes which nodes below the move belong to an edge attack (TACOS). One goes on there or begins
// with the move, if it has depth to go on. The move is about to be played.
template <Game G>
void Search<G>::Papers::FollowEdgeAttack(int ply, Move move) {
  constexpr int kPliesToCome = 2;
  const bool begins = G::SideToMove(search_.pos_) == search_.root_side_ &&
                      ply + kPliesToCome <= search_.root_depth_ &&
                      G::EdgeAttackStart(search_.pos_) == move;
  if (begins) search_.Fire(Technique::kEdgeAttack);
  FrameAt(ply + 1).attacks = FrameAt(ply).attacks || begins;
}

}  // namespace joseki
