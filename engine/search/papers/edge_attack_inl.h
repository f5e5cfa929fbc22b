#pragma once

#include "engine/search/papers/edge_attack.h"
#include "engine/search/search_impl.h"

namespace joseki {

template <Game G>
void Search<G>::Papers::EdgeAttack::Begin() {
  const int form = search_.options_.edge_attack;
  ripe_ = form == 2 || (form == 1 && G::IsRipeForEdgeAttack(search_.pos_));
}

template <Game G>
void Search<G>::Papers::EdgeAttack::AddHint(MoveHints& hints) const {
  if (ripe_ && G::SideToMove(search_.pos_) == search_.root_side_) {
    hints.AddLate(G::EdgeAttackStart(search_.pos_));
  }
}

template <Game G>
void Search<G>::Papers::EdgeAttack::OnPlay(int ply, Move move) {
  constexpr int kPliesToCome = 2;
  if (!ripe_) return;
  const bool begins = G::SideToMove(search_.pos_) == search_.root_side_ &&
                      ply + kPliesToCome <= search_.root_depth_ &&
                      G::EdgeAttackStart(search_.pos_) == move;
  if (begins) search_.Fire(Technique::kEdgeAttack);
  attacks_[ply + 1] = attacks_[ply] || begins;
}

template <Game G>
void Search<G>::Papers::EdgeAttack::OnPass(int ply) {
  attacks_[ply + 1] = attacks_[ply];
}

template <Game G>
int Search<G>::Papers::EdgeAttack::ExtensionOf(const Node& node, Move move) {
  if (!ripe_ || !attacks_[node.ply] ||
      !G::BelongsToEdgeAttack(search_.pos_, move, search_.root_side_)) {
    return 0;
  }
  search_.Fire(Technique::kEdgeAttackExtension);
  return search_.options_.edge_attack_extension;
}

}  // namespace joseki
