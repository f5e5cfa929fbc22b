#pragma once

#include <algorithm>

#include "engine/search/papers/cuts.h"
#include "engine/search/tree.h"

namespace joseki {
namespace search_internal {

inline constexpr int kRazoringDepth = 3;
inline constexpr int kProbCutDepth = 5;
inline constexpr int kHistoryDepth = 4;

}  // namespace search_internal

template <Game G>
bool Search<G>::Papers::Cuts::InUse() const {
  const SearchOptions& o = tree_.options_;
  return o.razoring > 0 || o.probcut > 0 || o.hand_repetition != 0 || o.history_pruning > 0 ||
         o.futility > 1 || o.no_deep_sacrifice != 0 || o.order_groups == 2;
}

template <Game G>
bool Search<G>::Papers::Cuts::EndsHere(int ply, Value& value) {
  if (tree_.options_.hand_repetition == 0) return false;
  const HandRepetition hands = G::CheckHands(tree_.pos_);
  if (hands.outcome == Repetition::kNone) return false;
  tree_.Fire(Technique::kHandRepetition);
  const Value gain = search_internal::kValueHandGain - ply;
  value = hands.outcome == Repetition::kWin ? gain : -gain;
  tree_.stack_[ply].depends = std::max(ply - hands.plies_back, -1);
  return true;
}

// Razoring: far below alpha, quiescence decides, since only captures may help.
template <Game G>
bool Search<G>::Papers::Cuts::CutsFirst(const Node& node, Value alpha, Value& value) {
  const SearchOptions& o = tree_.options_;
  if (tree_.stack_[node.ply].excluded) return false;
  if (tree_.papers_.mates.Finds(node, value)) return true;
  const int plies = node.plies();
  if (node.in_check || node.pv || tree_.budget_.over() || o.razoring == 0 ||
      plies > search_internal::kRazoringDepth || node.eval + o.razoring * plies > alpha) {
    return false;
  }
  value = tree_.Quiesce(node.ply, 0, alpha, alpha + 1);
  if (tree_.budget_.over() || value > alpha) return false;
  tree_.Fire(Technique::kRazoring);
  return true;
}

template <Game G>
bool Search<G>::Papers::Cuts::CutsLast(const Node& node, Value beta, Value& value) {
  if (node.in_check || tree_.stack_[node.ply].excluded) return false;
  if (!node.pv && tree_.options_.probcut > 0 && node.plies() >= search_internal::kProbCutDepth &&
      TryProbCut(node, beta, value)) {
    return true;
  }
  return tree_.papers_.mates.InOne(node, value);
}

// ProbCut: whether a capture stays far above beta in a shallow search; it will then exceed beta in
// this one.
template <Game G>
bool Search<G>::Papers::Cuts::TryProbCut(const Node& node, Value beta, Value& value) {
  const Value high = beta + tree_.options_.probcut;
  if (IsMate(high)) return false;
  Position& pos = tree_.pos_;
  MovePicker<G> picker(pos, tree_.lessons_.history(), tree_.options_,
                       MovePicker<G>::Scope::kCaptures, node.known.move, MoveHints());
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (!G::SeeAtLeast(pos, move, high - node.eval)) continue;
    if (!tree_.CountNode()) return false;
    Undo undo;
    tree_.Play(node.ply, move, undo);
    value = -tree_.Quiesce(node.ply + 1, 0, -high, -high + 1);
    if (value >= high && !tree_.budget_.over()) {
      tree_.stack_[node.ply + 1].cut = !tree_.stack_[node.ply].cut;
      value =
          -tree_.template SearchNode<false>(node.ply + 1, node.depth - 4 * kPly, -high, -high + 1);
    }
    G::TakeBack(pos, move, undo);
    if (tree_.budget_.over()) return false;
    if (value < high) continue;
    tree_.Fire(Technique::kProbCut);
    tree_.stack_[node.ply].depends = tree_.stack_[node.ply + 1].depends;
    return true;
  }
  return false;
}

// Form 2 of futility is Bonanza's E(P) + Vdiff(m), with what is won, the king-piece term and Vmax.
template <Game G>
bool Search<G>::Papers::Cuts::SkipsFirst(const Node& node, const Candidate& candidate, Value alpha,
                                         Value& best) {
  const SearchOptions& o = tree_.options_;
  const Position& pos = tree_.pos_;
  const int plies = node.plies();
  const Move move = candidate.move;
  if (o.history_pruning > 0 && candidate.quiet && plies <= search_internal::kHistoryDepth &&
      candidate.history < -o.history_pruning * plies && !G::GivesCheck(pos, move)) {
    tree_.Fire(Technique::kHistoryPruning);
    return true;
  }
  if (o.futility < 2 || plies != 1) return false;
  const Value reach =
      o.futility == 2 ? node.eval + G::GainOf(pos, move) + G::SwingAtMost(pos, move)
                      : G::Material(pos) + G::GainOf(pos, move) + search_internal::kMaxPositional;
  if (reach > alpha || G::GivesCheck(pos, move)) return false;
  tree_.Fire(Technique::kFutility);
  best = std::max(best, reach);
  return true;
}

template <Game G>
bool Search<G>::Papers::Cuts::SkipsLast(const Node& node, const Candidate& candidate) {
  const SearchOptions& o = tree_.options_;
  const Position& pos = tree_.pos_;
  Technique technique = Technique::kCount;
  if (o.no_deep_sacrifice != 0 && node.ply >= 2 && !G::SeeAtLeast(pos, candidate.move, 0)) {
    technique = Technique::kDeepSacrifice;
  } else if (o.order_groups == 2 &&
             !G::OrderGroupBelongs(pos, candidate.group, node.ply + 1, node.plies())) {
    technique = Technique::kGroupSkipped;
  }
  if (technique == Technique::kCount || G::GivesCheck(pos, candidate.move)) return false;
  tree_.Fire(technique);
  return true;
}

}  // namespace joseki
