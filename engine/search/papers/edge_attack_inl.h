#pragma once

#include "engine/search/papers/edge_attack.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
void Search<G>::Papers::EdgeAttack::Begin() {
  const int form = tree_.options_.edge_attack;
  ripe_ = form == 2 || (form == 1 && G::IsRipeForEdgeAttack(tree_.pos_));
}

template <Game G>
void Search<G>::Papers::EdgeAttack::AddHint(MoveHints& hints) const {
  if (ripe_ && G::SideToMove(tree_.pos_) == tree_.root_.side) {
    hints.AddLate(G::EdgeAttackStart(tree_.pos_));
  }
}

template <Game G>
void Search<G>::Papers::EdgeAttack::OnPlay(int ply, Move move) {
  constexpr int kPliesToCome = 2;
  if (!ripe_) return;
  const bool begins = G::SideToMove(tree_.pos_) == tree_.root_.side &&
                      ply + kPliesToCome <= tree_.root_.depth &&
                      G::EdgeAttackStart(tree_.pos_) == move;
  if (begins) tree_.Fire(Technique::kEdgeAttack);
  attacks_[ply + 1] = attacks_[ply] || begins;
}

template <Game G>
void Search<G>::Papers::EdgeAttack::OnPass(int ply) {
  attacks_[ply + 1] = attacks_[ply];
}

template <Game G>
int Search<G>::Papers::EdgeAttack::ExtensionOf(const Node& node, Move move) {
  if (!ripe_ || !attacks_[node.ply] ||
      !G::BelongsToEdgeAttack(tree_.pos_, move, tree_.root_.side)) {
    return 0;
  }
  tree_.Fire(Technique::kEdgeAttackExtension);
  return tree_.options_.edge_attack_extension;
}

}  // namespace joseki
