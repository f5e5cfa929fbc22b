#pragma once

#include "engine/search/papers/passes.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
bool Search<G>::Papers::Passes::ReplaceNullMove() const {
  return tree_.options_.null_move > 1 || tree_.options_.regret_moves > 1;
}

template <Game G>
bool Search<G>::Papers::Passes::AreCounted() const {
  return tree_.options_.null_recursion > 0;
}

template <Game G>
bool Search<G>::Papers::Passes::HasEnough(int ply) const {
  return AreCounted() && counts_[ply] >= tree_.options_.null_recursion;
}

template <Game G>
bool Search<G>::Papers::Passes::Cut(Node& node, Value alpha, Value beta, Value& value) {
  const int plies = node.plies();
  // RegretMoves 3 passes at every inner node, 2 where at least three plies are left.
  const bool looks = tree_.options_.regret_moves == 3 ||
                     (tree_.options_.regret_moves == 2 && plies >= search_internal::kNullDepth);
  const bool by_eval = tree_.null_move_.IsPromising(node, beta);
  // C. Ye's pass is one ply less deep than a move. It is made everywhere (NullMove 3), or
  // everywhere but at the frontier (2). Below beta, its value is the least that the moves must beat
  // (figure 3.3 of his thesis).
  const bool full = tree_.options_.null_move >= 2 && (tree_.options_.null_move == 3 || plies > 1);
  if ((!by_eval && !full && !looks) || !tree_.null_move_.IsAllowed(node.ply)) return false;
  const bool may_cut = by_eval || (full && beta < kValueMateInMaxPly);
  const int depth = by_eval ? tree_.null_move_.DepthAfter(node, beta) : node.depth - 2 * kPly;
  const Value low = by_eval ? beta - 1 : alpha;
  value = low + 1 == beta ? tree_.null_move_.template SearchPass<false>(node.ply, depth, low, beta)
                          : tree_.null_move_.template SearchPass<true>(node.ply, depth, low, beta);
  if (tree_.budget_.over()) return false;
  if (value >= beta && may_cut) return tree_.null_move_.CutByPass(node.ply, beta, value);
  // A mate after a pass is no bound: the side has to move.
  if (full && !IsMate(value)) {
    node.passed = value;
    node.passed_depends = tree_.stack_[node.ply + 1].depends;
  }
  return false;
}

}  // namespace joseki
