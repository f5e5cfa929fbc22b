#pragma once

#include <algorithm>
#include <limits>

#include "engine/search/search_impl.h"

// Mates beyond the horizon: mate searches at the root, and after root moves that are about to be
// accepted.
namespace joseki {
namespace search_internal {

inline constexpr int kDoubtDepth = 4;            // first iteration with such searches
inline constexpr uint64_t kDoubtPart = 16;       // at most 1 / kDoubtPart of a node limit for each
inline constexpr uint64_t kDoubtsInAll = 4;      // total for a search, in multiples of that
inline constexpr int64_t kDoubtNodesPerMs = 50;  // for each, under a time limit
// With fewer nodes a mate search would find no more than the search itself.
inline constexpr uint64_t kLeastDoubt = 500;

}  // namespace search_internal

// Allots nodes to the mate searches at the root: a small part of the limit, each and in total.
template <Game G>
void Search<G>::Impl::AllotMateNodes() {
  using namespace search_internal;
  doubting_ = false;
  doubt_nodes_ = static_cast<uint64_t>(options_.root_mate_nodes);
  doubt_nodes_left_ = std::numeric_limits<uint64_t>::max();
  if (limits_.nodes != 0) {
    doubt_nodes_ = std::min(doubt_nodes_, limits_.nodes / kDoubtPart);
    doubt_nodes_left_ = limits_.nodes / kDoubtPart * kDoubtsInAll;
  }
  if (const int64_t ms = limits_.soft_ms > 0 ? limits_.soft_ms : limits_.hard_ms; ms > 0) {
    const auto most = static_cast<uint64_t>(kDoubtNodesPerMs * ms);
    doubt_nodes_ = std::min(doubt_nodes_, most);
    doubt_nodes_left_ = std::min(doubt_nodes_left_, kDoubtsInAll * most);
  }
  if (doubt_nodes_ < kLeastDoubt) doubt_nodes_ = 0;
  if (doubt_nodes_ > 0) MakeMateFinder();
}

template <Game G>
typename G::MateFinder& Search<G>::Impl::MakeMateFinder() {
  if (mates_ == nullptr) mates_ = std::make_unique<typename G::MateFinder>();
  return *mates_;
}

// Runs the mate search `find` from the present position with at most `most` nodes, which count as
// nodes of the search.
template <Game G>
template <typename Find>
MateProbe Search<G>::Impl::SearchMate(uint64_t most, Find&& find) {
  if (limits_.nodes != 0) most = std::min(most, limits_.nodes - nodes_);
  if (most == 0) return {};
  const MateProbe probe = find(most);
  nodes_ += probe.nodes;
  Poll();
  // The node count may have skipped the value at which Poll checks the clock.
  if (limits_.hard_ms > 0 && ElapsedMs() >= limits_.hard_ms) stopped_ = true;
  return probe;
}

// Whether the remaining nodes of the search and of the mate budget suffice for a mate search.
template <Game G>
bool Search<G>::Impl::HasNodesForMates() const {
  using namespace search_internal;
  if (doubt_nodes_ == 0 || doubt_nodes_left_ < kLeastDoubt || stopped_) return false;
  return limits_.nodes == 0 || limits_.nodes - nodes_ >= kLeastDoubt;
}

template <Game G>
MateProbe Search<G>::Impl::DoubtPosition() {
  const uint64_t before = nodes_;
  const uint64_t most = std::min(doubt_nodes_, doubt_nodes_left_);
  const MateProbe probe = SearchMate(
      most, [&](uint64_t allowed) { return mates_->Prove(pos_, allowed, &stop_requested_); });
  doubt_nodes_left_ -= std::min(doubt_nodes_left_, nodes_ - before);
  return probe;
}

// Whether the side to move has a proven mate of any length; sets the result.
template <Game G>
bool Search<G>::Impl::MatesAtRoot(SearchResult& result, const SearchObserver& observer) {
  if (IsMate(result.value) || !limits_.excluded.empty() || limits_.lines > 1) return false;
  if (!HasNodesForMates()) return false;
  const MateProbe probe = DoubtPosition();
  result.nodes = nodes_;
  if (!probe.move || probe.plies >= kMaxPly) return false;
  // The proof ignores the game's history, so it could repeat positions.
  Undo undo;
  Play(0, probe.move, undo);
  const bool returns = G::CheckRepetition(evaluator_, pos_, 1) != Repetition::kNone;
  G::TakeBack(pos_, probe.move, undo);
  if (returns) return false;
  Fire(Technique::kRootMate);
  result.best = probe.move;
  result.value = MateIn(probe.plies);
  ++result.depth;
  if (observer) {
    observer({.depth = result.depth,
              .line = 1,
              .lines = 1,
              .seldepth = probe.plies,
              .value = result.value,
              .nodes = nodes_,
              .elapsed_ms = ElapsedMs(),
              .hashfull = tt_.Hashfull(),
              .pv = std::span<const Move>(&result.best, 1)});
  }
  return true;
}

// Searches for a mate by the other side after the move; once for each move and search.
template <Game G>
void Search<G>::Impl::LookForRefutation(RootMove& root) {
  if (!doubting_ || root.doubted || !HasNodesForMates() || !CountNode()) return;
  root.doubted = true;
  Undo undo;
  Play(0, root.move, undo);
  // No mate follows if the move ends the game by repetition.
  MateProbe probe;
  if (G::CheckRepetition(evaluator_, pos_, 1) == Repetition::kNone) probe = DoubtPosition();
  G::TakeBack(pos_, root.move, undo);
  if (!probe.move || probe.plies + 1 >= kMaxPly) return;
  Fire(Technique::kRootRefuted);
  root.mated_in = probe.plies + 1;
}

// Replaces the best move if it was refuted before the interruption and no better one was known. The
// next move in order without a refutation is taken, or the one with the longest mate.
template <Game G>
void Search<G>::Impl::LeaveIfRefuted(SearchResult& result) {
  const auto is_best = [&](const RootMove& root) { return root.move == result.best; };
  const auto best = std::find_if(root_moves_.begin(), root_moves_.end(), is_best);
  if (best == root_moves_.end() || best->mated_in == 0) return;
  // A move without a refutation counts as later than any mate.
  const auto end_of = [](const RootMove& root) {
    return root.mated_in > 0 ? root.mated_in : kMaxPly;
  };
  const auto other = std::max_element(
      root_moves_.begin(), root_moves_.end(),
      [&](const RootMove& one, const RootMove& two) { return end_of(one) < end_of(two); });
  result.best = other->move;
  if (other->mated_in > 0) result.value = MatedIn(other->mated_in);
}

}  // namespace joseki
