#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "engine/search/root_mates.h"

namespace joseki {
namespace search_internal {

inline constexpr int kDoubtDepth = 4;            // first iteration with such searches
inline constexpr uint64_t kDoubtPart = 16;       // at most 1 / kDoubtPart of a node limit for each
inline constexpr uint64_t kDoubtsInAll = 4;      // total for a search, in multiples of that
inline constexpr int64_t kDoubtNodesPerMs = 50;  // for each, under a time limit
// With fewer nodes a mate search would find no more than the search itself.
inline constexpr uint64_t kLeastDoubt = 500;

}  // namespace search_internal

template <Game G>
void Search<G>::Root::Mates::Begin() {
  using namespace search_internal;
  const SearchLimits& limits = tree_.budget_.limits();
  doubting_ = false;
  nodes_ = static_cast<uint64_t>(tree_.options_.root_mate_nodes);
  nodes_left_ = std::numeric_limits<uint64_t>::max();
  if (limits.nodes != 0) {
    nodes_ = std::min(nodes_, limits.nodes / kDoubtPart);
    nodes_left_ = limits.nodes / kDoubtPart * kDoubtsInAll;
  }
  if (const int64_t ms = limits.soft_ms > 0 ? limits.soft_ms : limits.hard_ms; ms > 0) {
    const auto most = static_cast<uint64_t>(kDoubtNodesPerMs * ms);
    nodes_ = std::min(nodes_, most);
    nodes_left_ = std::min(nodes_left_, kDoubtsInAll * most);
  }
  if (nodes_ < kLeastDoubt) nodes_ = 0;
  if (nodes_ > 0) tree_.MakeMateFinder();
}

template <Game G>
bool Search<G>::Root::Mates::BeginIteration(int depth, const SearchObserver& observer,
                                            SearchResult& result) {
  using search_internal::kDoubtDepth;
  doubting_ = depth >= kDoubtDepth;
  // At this depth the search itself has found short mates, shortest first.
  return depth == kDoubtDepth && Finds(observer, result);
}

// Whether the remaining nodes of the search and of the mate budget suffice for a mate search.
template <Game G>
bool Search<G>::Root::Mates::HasNodes() const {
  using search_internal::kLeastDoubt;
  return nodes_ != 0 && nodes_left_ >= kLeastDoubt && !tree_.budget_.over() &&
         tree_.budget_.Allowed(kLeastDoubt) == kLeastDoubt;
}

// Searches for a mate by the side to move in the present position.
template <Game G>
MateProbe Search<G>::Root::Mates::SearchPosition() {
  const uint64_t before = tree_.budget_.nodes();
  const MateProbe probe = tree_.SearchMate(std::min(nodes_, nodes_left_), [&](uint64_t allowed) {
    return tree_.mates_->Prove(tree_.pos_, allowed, tree_.budget_.stop_flag());
  });
  nodes_left_ -= std::min(nodes_left_, tree_.budget_.nodes() - before);
  return probe;
}

template <Game G>
bool Search<G>::Root::Mates::Finds(const SearchObserver& observer, SearchResult& result) {
  const SearchLimits& limits = tree_.budget_.limits();
  if (IsMate(result.value) || !limits.excluded.empty() || limits.lines > 1) return false;
  if (!HasNodes()) return false;
  const MateProbe probe = SearchPosition();
  result.nodes = tree_.budget_.nodes();
  if (!probe.move || probe.plies >= kMaxPly) return false;
  // The proof ignores the game's history, so it could repeat positions.
  typename G::Undo undo;
  tree_.Play(0, probe.move, undo);
  const bool returns = G::CheckRepetition(tree_.evaluator_, tree_.pos_, 1) != Repetition::kNone;
  G::TakeBack(tree_.pos_, probe.move, undo);
  if (returns) return false;
  tree_.Fire(Technique::kRootMate);
  result.best = probe.move;
  result.value = MateIn(probe.plies);
  ++result.depth;
  if (observer) {
    observer({.depth = result.depth,
              .line = 1,
              .lines = 1,
              .seldepth = probe.plies,
              .value = result.value,
              .nodes = tree_.budget_.nodes(),
              .elapsed_ms = tree_.budget_.ElapsedMs(),
              .hashfull = tree_.tt_.Hashfull(),
              .pv = std::span<const Move>(&result.best, 1)});
  }
  return true;
}

template <Game G>
void Search<G>::Root::Mates::LookForRefutation(search_internal::RootMove& root) {
  if (!doubting_ || root.doubted || !HasNodes() || !tree_.CountNode()) return;
  root.doubted = true;
  typename G::Undo undo;
  tree_.Play(0, root.move, undo);
  // No mate follows if the move ends the game by repetition.
  MateProbe probe;
  if (G::CheckRepetition(tree_.evaluator_, tree_.pos_, 1) == Repetition::kNone) {
    probe = SearchPosition();
  }
  G::TakeBack(tree_.pos_, root.move, undo);
  if (!probe.move || probe.plies + 1 >= kMaxPly) return;
  tree_.Fire(Technique::kRootRefuted);
  root.mated_in = probe.plies + 1;
}

template <Game G>
void Search<G>::Root::Mates::LeaveIfRefuted(SearchResult& result) {
  using search_internal::RootMove;
  const std::span<const RootMove> moves = std::as_const(tree_.root_moves_).all();
  const auto is_best = [&](const RootMove& root) { return root.move == result.best; };
  const auto best = std::find_if(moves.begin(), moves.end(), is_best);
  if (best == moves.end() || best->mated_in == 0) return;
  // A move without a refutation counts as later than any mate.
  const auto end_of = [](const RootMove& root) {
    return root.mated_in > 0 ? root.mated_in : kMaxPly;
  };
  const auto other = std::max_element(
      moves.begin(), moves.end(),
      [&](const RootMove& one, const RootMove& two) { return end_of(one) < end_of(two); });
  result.best = other->move;
  if (other->mated_in > 0) result.value = MatedIn(other->mated_in);
}

}  // namespace joseki
