#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "engine/search/papers/order.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
void Search<G>::Papers::Order::SetOptions() {
  butterflies_ = tree_.options_.order_butterflies != 0
                     ? std::make_unique<Butterflies>(History<G>::kCodes)
                     : nullptr;
}

template <Game G>
void Search<G>::Papers::Order::Forget() {
  if (butterflies_ != nullptr) butterflies_->Clear();
}

template <Game G>
bool Search<G>::Papers::Order::InUse() const {
  const SearchOptions& o = tree_.options_;
  return o.order_groups != 0 || alike_ != nullptr || o.iid > 0 || butterflies_ != nullptr;
}

template <Game G>
void Search<G>::Papers::Order::OrderRoot() {
  if (tree_.options_.order_groups != 0) OrderRootByGroups();
  if (alike_ == nullptr) return;
  Move room[MoveHints::kMaxLate];
  const std::span<const Move> moves = AlikeHere(room);
  tree_.root_moves_.SortByPlace(0, [&](Move move) {
    if (MovePicker<G>::IsTactical(tree_.pos_, move)) return 0;
    return 1 + static_cast<int>(std::find(moves.begin(), moves.end(), move) - moves.begin());
  });
}

template <Game G>
void Search<G>::Papers::Order::OrderRootByGroups() {
  constexpr int kGroup = 1 << 20;  // above every importance
  const bool by_importance = tree_.options_.order_group_limits != 0;
  typename G::Groups groups(tree_.pos_, tree_.stack_[-1].move, /*at_root=*/true);
  tree_.root_moves_.SortByPlace(0, [&](Move move) {
    const int group = groups.Of(move, G::Groups::kRounds.back());
    return group * kGroup - (by_importance ? groups.ImportanceOf(move, group) : 0);
  });
}

template <Game G>
template <bool kPv>
void Search<G>::Papers::Order::FindTableMove(Node& node, Value alpha, Value beta) {
  const SearchOptions& o = tree_.options_;
  if (o.iid == 0 || node.plies() < o.iid || node.ply == 0) return;
  if (!kPv && o.iid_form == 2) return;
  tree_.Fire(Technique::kInternalDeepening);
  const bool by_plies = o.iid_form == 1;
  const int last = node.depth - (by_plies ? 1 : 2) * kPly;
  for (int depth = by_plies ? kPly : last; depth <= last && !tree_.budget_.over(); depth += kPly) {
    tree_.template SearchNode<kPv>(node.ply, depth, alpha, beta);
  }
  Frame& frame = tree_.stack_[node.ply];
  frame.depends = search_internal::kIndependent;
  tree_.stack_.ClearLine(node.ply);
  if (tree_.budget_.over()) return;
  node.known.move = tree_.KnownMove(node.ply, tree_.papers_.null_quiescence.MainKey(frame.key));
}

template <Game G>
void Search<G>::Papers::Order::AddHints(const Node& node, MoveHints& hints) {
  hints.butterflies = butterflies_.get();
  tree_.papers_.regrets.AddHints(node.ply, hints);
  if (tree_.options_.order_groups != 0) {
    tree_.Fire(Technique::kOrderGroup);
    hints.last = tree_.stack_[node.ply - 1].move;
    if (tree_.options_.order_group_limits != 0 && !node.in_check) {
      hints.group_plies = static_cast<uint8_t>(std::max(node.plies(), 1));
    }
  }
  tree_.papers_.edge_attack.AddHint(hints);
  if (alike_ == nullptr) return;
  Move room[MoveHints::kMaxLate];
  for (const Move move : AlikeHere(room)) hints.AddLate(move);
}

// The moves played in similar positions, the most frequent first; a part of `room`.
template <Game G>
std::span<const Move> Search<G>::Papers::Order::AlikeHere(
    std::span<Move, MoveHints::kMaxLate> room) {
  const auto most = static_cast<size_t>(tree_.options_.partial_book_moves);
  const size_t count = alike_->At(tree_.pos_, room.first(most));
  if (count > 0) tree_.Fire(Technique::kPartialBook);
  return room.first(count);
}

template <Game G>
void Search<G>::Papers::Order::OnNodeDone(const Node& node, Move best, bool cut,
                                          std::span<const Move> quiets) {
  if (butterflies_ == nullptr) return;
  const Position& pos = tree_.pos_;
  const int weight = std::max(node.plies() * node.plies(), 1);
  const auto count = [&](Move move, bool refuted) {
    butterflies_->Tried(History<G>::CodeOf(G::MovedPiece(pos, move), move), weight, refuted);
  };
  for (const Move move : quiets) count(move, false);
  if (cut && best && !MovePicker<G>::IsTactical(pos, best)) count(best, true);
}

}  // namespace joseki
