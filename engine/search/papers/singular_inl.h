#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>

#include "engine/search/papers/singular.h"
#include "engine/search/tree.h"

namespace joseki {
namespace search_internal {

inline constexpr int kSingularClassicDepth = 3;
inline constexpr int kSingularReduction = 2;  // plies, of the test where a move fails high

// Bits of SingularClassic: moves of the principal variation, those that fail high, the root's.
inline constexpr int kSingularPv = 1;
inline constexpr int kSingularHigh = 2;
inline constexpr int kSingularRoot = 4;

}  // namespace search_internal

template <Game G>
void Search<G>::Papers::Singular::SetOptions() {
  memory_ = tree_.options_.singular_memory != 0 ? std::make_unique<SingularMemory>() : nullptr;
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
  return tree_.options_.singular_classic != 0 || tree_.options_.singular_memory != 0;
}

template <Game G>
bool Search<G>::Papers::Singular::StoodAlone(const Node& node, Move move) {
  if (memory_ == nullptr || !memory_->Has(tree_.stack_[node.ply].key, move)) return false;
  tree_.Fire(Technique::kSingularMemory);
  return true;
}

template <Game G>
void Search<G>::Papers::Singular::Keep(const Node& node, Move move) {
  if (memory_ != nullptr) memory_->Keep(tree_.stack_[node.ply].key, move);
}

template <Game G>
bool Search<G>::Papers::Singular::TestsNodes() const {
  return (tree_.options_.singular_classic & ~search_internal::kSingularRoot) != 0;
}

template <Game G>
bool Search<G>::Papers::Singular::TestsRoot() const {
  return (tree_.options_.singular_classic & search_internal::kSingularRoot) != 0;
}

// Whether all moves of the node but this one stay below `low`, with `depth` left behind each.
// Nothing is reduced or skipped here; with less than a ply left, quiescence decides.
template <Game G>
bool Search<G>::Papers::Singular::StandsAlone(const Node& node, Move move, int depth, Value low) {
  Position& pos = tree_.pos_;
  const auto is_below = [&](Move other) {
    if (other == move) return true;
    if (!tree_.CountNode()) return false;
    Undo undo;
    tree_.Play(node.ply, other, undo);
    tree_.stack_[node.ply + 1].cut = true;
    const Value value = -tree_.template SearchNode<false>(node.ply + 1, depth, -low, 1 - low);
    G::TakeBack(pos, other, undo);
    return !tree_.budget_.over() && value < low;
  };
  if (node.ply == 0) {  // the moves that this search may choose from
    const std::span<search_internal::RootMove> moves = tree_.root_moves_.left();
    return std::all_of(moves.begin(), moves.end(),
                       [&](const auto& root) { return is_below(root.move); });
  }
  MovePicker<G> picker(pos, tree_.lessons_.history(), tree_.options_, MovePicker<G>::Scope::kSearch,
                       node.known.move, tree_.lessons_.HintsFor(node));
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
  const SearchOptions& o = tree_.options_;
  if (node.plies() < kSingularClassicDepth || std::abs(value) >= kValueHandGain ||
      !tree_.MayExtend(node.ply) || candidate.extension >= kPly) {
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
  Frame& child = tree_.stack_[node.ply + 1];
  const int depends = child.depends;
  const bool alone = StandsAlone(node, candidate.move, depth, low);
  child.depends = depends;
  tree_.stack_.ClearLine(node.ply + 1);  // the test has walked over the line
  if (!alone || tree_.budget_.over()) return value;
  tree_.Fire(Technique::kClassicSingular);
  Keep(node, candidate.move);
  candidate.extension = kPly;
  candidate.unreduced = true;
  const Value deeper = tree_.template SearchMove<kPv>(node, candidate, alpha, beta);
  // The others are below `low`; they need no search while the deeper value is not.
  others_known = leads && deeper >= low && deeper > alpha;
  return deeper;
}

}  // namespace joseki
