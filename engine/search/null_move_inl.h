#pragma once

#include <algorithm>
#include <iterator>

#include "engine/search/null_move.h"
#include "engine/search/tree.h"

namespace joseki {
namespace search_internal {

inline constexpr int kNullDepth = 3;

}  // namespace search_internal

template <Game G>
bool Search<G>::Tree::NullMove::Cuts(Node& node, Value alpha, Value beta, Value& value) {
  if (tree_.hooks_.cut && tree_.papers_.passes.ReplaceNullMove()) {
    return tree_.papers_.passes.Cut(node, alpha, beta, value);
  }
  if (!IsPromising(node, beta) || !IsAllowed(node.ply)) return false;
  value = SearchPass<false>(node.ply, DepthAfter(node, beta), beta - 1, beta);
  return !tree_.budget_.over() && value >= beta && CutByPass(node.ply, beta, value);
}

// A mate found after a pass is not real, so there is no cut where only a mate would cut.
template <Game G>
bool Search<G>::Tree::NullMove::IsPromising(const Node& node, Value beta) const {
  return tree_.options_.null_move == 1 && !node.pv && node.plies() >= search_internal::kNullDepth &&
         node.eval >= beta && !IsMate(beta);
}

// No pass after a pass: it would only repeat the search of this position.
template <Game G>
bool Search<G>::Tree::NullMove::IsAllowed(int ply) const {
  return ply > 0 && tree_.stack_[ply - 1].move && G::MayPass(tree_.pos_) &&
         !(tree_.hooks_.cut && tree_.papers_.passes.HasEnough(ply));
}

template <Game G>
int Search<G>::Tree::NullMove::DepthAfter(const Node& node, Value beta) const {
  const int by_value = std::min((node.eval - beta) / 300, 2);
  return node.depth - (tree_.options_.null_move_base + node.plies() / 5 + by_value) * kPly;
}

template <Game G>
template <bool kPv>
Value Search<G>::Tree::NullMove::SearchPass(int ply, int depth, Value low, Value beta) {
  Undo undo;
  tree_.Pass(ply, undo);
  tree_.stack_[ply + 1].cut = !tree_.stack_[ply].cut;
  const Value value = -tree_.template SearchNode<kPv>(ply + 1, depth, -beta, -low);
  if (tree_.options_.regret_moves != 0 && !tree_.budget_.over() && value < beta) FindRegrets(ply);
  G::TakeBackNull(tree_.pos_, undo);
  return value;
}

template <Game G>
bool Search<G>::Tree::NullMove::CutByPass(int ply, Value beta, Value& value) {
  tree_.Fire(Technique::kNullCut);
  tree_.stack_[ply].depends = tree_.stack_[ply + 1].depends;
  if (IsMate(value)) value = beta;  // a mate after a pass is not real
  return true;
}

// YSS's regret moves: the best reply to the pass just searched, and our answer to it, if the table
// has them. REQUIRES: the position is that after the pass.
template <Game G>
void Search<G>::Tree::NullMove::FindRegrets(int ply) {
  Frame& frame = tree_.stack_[ply];
  std::fill(std::begin(frame.regret), std::end(frame.regret), Move());
  const Move reply = tree_.KnownMove(ply + 1, G::KeyOf(tree_.pos_));
  if (!reply || !G::IsLegal(tree_.pos_, reply)) return;
  frame.regret[0] = reply;
  frame.regret[1] = tree_.KnownMove(ply + 2, G::KeyAfter(tree_.pos_, reply));
  if (tree_.hooks_.order) tree_.papers_.regrets.FindLine(ply);
}

}  // namespace joseki
