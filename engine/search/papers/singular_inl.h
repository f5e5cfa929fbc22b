#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "engine/search/papers/singular.h"
#include "engine/search/search_impl.h"

namespace joseki {
namespace search_internal {

inline constexpr int kSingularClassicDepth = 3;
inline constexpr int kSingularReduction = 2;  // plies, of the test where a move fails high

// Of SingularClassic: moves of the principal variation, moves that fail high, the root's too.
inline constexpr int kSingularPv = 1;
inline constexpr int kSingularHigh = 2;
inline constexpr int kSingularRoot = 4;

}  // namespace search_internal

template <Game G>
void Search<G>::Papers::Singular::SetOptions() {
  memory_ = search_.options_.singular_memory != 0 ? std::make_unique<SingularMemory>() : nullptr;
}

template <Game G>
void Search<G>::Papers::Singular::Forget() {
  if (memory_ != nullptr) memory_->Clear();
}

template <Game G>
void Search<G>::Papers::Singular::BeginIteration() {
  if (memory_ != nullptr) memory_->BeginIteration();
}

template <Game G>
bool Search<G>::Papers::Singular::InUse() const {
  return search_.options_.singular_classic != 0 || search_.options_.singular_memory != 0;
}

template <Game G>
bool Search<G>::Papers::Singular::StoodAlone(const Node& node, Move move) {
  if (memory_ == nullptr || !memory_->Has(search_.FrameAt(node.ply).key, move)) return false;
  search_.Fire(Technique::kSingularMemory);
  return true;
}

template <Game G>
void Search<G>::Papers::Singular::Keep(const Node& node, Move move) {
  if (memory_ != nullptr) memory_->Keep(search_.FrameAt(node.ply).key, move);
}

template <Game G>
bool Search<G>::Papers::Singular::TestsNodes() const {
  return (search_.options_.singular_classic & ~search_internal::kSingularRoot) != 0;
}

template <Game G>
bool Search<G>::Papers::Singular::TestsRoot() const {
  return (search_.options_.singular_classic & search_internal::kSingularRoot) != 0;
}

// Whether all moves of the node but this one stay below `low`, with `depth` left behind each.
// Nothing is reduced or skipped here; where less than a ply is left, captures decide.
template <Game G>
bool Search<G>::Papers::Singular::StandsAlone(const Node& node, Move move, int depth, Value low) {
  Position& pos = search_.pos_;
  const auto is_below = [&](Move other) {
    if (other == move) return true;
    if (!search_.CountNode()) return false;
    Undo undo;
    search_.Play(node.ply, other, undo);
    search_.FrameAt(node.ply + 1).cut = true;
    const Value value = -search_.template SearchNode<false>(node.ply + 1, depth, -low, 1 - low);
    G::TakeBack(pos, other, undo);
    return !search_.stopped_ && value < low;
  };
  if (node.ply == 0) {  // the moves that this search may choose from
    const auto& moves = search_.root_moves_;
    return std::all_of(moves.begin() + static_cast<std::ptrdiff_t>(search_.root_first_),
                       moves.end(), [&](const auto& root) { return is_below(root.move); });
  }
  MovePicker<G> picker(pos, search_.history_, search_.options_, MovePicker<G>::Scope::kSearch,
                       node.known.move, search_.HintsFor(node));
  for (Move other = picker.Next(); other; other = picker.Next()) {
    if (!is_below(other)) return false;
  }
  return true;
}

template <Game G>
template <bool kPv>
Value Search<G>::Papers::Singular::Deepen(const Node& node, Candidate candidate, Value value,
                                          Value alpha, Value beta, bool& others_known) {
  using namespace search_internal;
  const SearchOptions& o = search_.options_;
  if (node.plies() < kSingularClassicDepth || std::abs(value) >= kValueHandGain ||
      !search_.MayExtend(node.ply) || candidate.extension >= kPly) {
    return value;
  }
  const bool refutes = value >= beta;
  const bool leads = kPv && !refutes && (o.singular_classic & kSingularPv) != 0;
  const bool high =
      (refutes || (kPv && candidate.index > 0)) && (o.singular_classic & kSingularHigh) != 0;
  if (!leads && !high) return value;
  const Value low =
      leads ? value - o.singular_margin_pv : (refutes ? beta : alpha) - o.singular_margin_cut;
  const int depth = node.depth - kPly - (leads ? 0 : kSingularReduction * kPly);
  Frame& child = search_.FrameAt(node.ply + 1);
  const int depends = child.depends;
  const bool alone = StandsAlone(node, candidate.move, depth, low);
  child.depends = depends;
  search_.pv_length_[node.ply + 1] = node.ply + 1;  // the test has walked over the line
  if (!alone || search_.stopped_) return value;
  search_.Fire(Technique::kClassicSingular);
  Keep(node, candidate.move);
  candidate.extension = kPly;
  candidate.unreduced = true;
  const Value deeper = search_.template SearchMove<kPv>(node, candidate, alpha, beta);
  // The others are below `low`; they need no search while the deeper value is not.
  others_known = leads && deeper >= low && deeper > alpha;
  return deeper;
}

}  // namespace joseki
