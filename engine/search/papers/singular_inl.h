#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "engine/search/search_impl.h"

// Any move that stands alone, as C. Ye tests it; the table's move: engine/search/singular_inl.h.
namespace joseki {
namespace search_internal {

inline constexpr int kSingularClassicDepth = 3;
inline constexpr int kSingularReduction = 2;  // plies, of the test where a move fails high

}  // namespace search_internal

// Whether a test of this iteration or of the one before found the move to stand alone. Such a move
// has its ply without another test. The iteration after that tests it again.
template <Game G>
bool Search<G>::Papers::StoodAlone(const Node& node, Move move) {
  if (alone_ == nullptr || !alone_->Has(search_.FrameAt(node.ply).key, move)) return false;
  search_.Fire(Technique::kSingularMemory);
  return true;
}

// Remembers a move that a test found to stand alone.
template <Game G>
void Search<G>::Papers::KeepAlone(const Node& node, Move move) {
  if (alone_ != nullptr) alone_->Keep(search_.FrameAt(node.ply).key, move);
}

// Whether all moves of the node but this one stay below `low`, with `depth` left behind each.
// Nothing is reduced or skipped here; where less than a ply is left, captures decide.
template <Game G>
bool Search<G>::Papers::StandsAlone(const Node& node, Move move, int depth, Value low) {
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
  MovePicker<G> picker(pos, search_.history_, options(), MovePicker<G>::Scope::kSearch,
                       node.known.move, search_.HintsFor(node));
  for (Move other = picker.Next(); other; other = picker.Next()) {
    if (!is_below(other)) return false;
  }
  return true;
}

// Singular extensions after T. Anantharaman, M. Campbell and F.-h. Hsu (1988), in the form of C. Ye
// (figures 5.1 and 5.2 of his thesis). Any move that turns out best is tested, not the table's
// alone. A move of the principal variation is tested against the others at their own depth. One
// that fails high is tested two plies less deep. The root is tested by 4 (SearchRootAgain).
//
// The value of a move that has beaten alpha, from a search one ply deeper where it stands alone.
// `others_known` becomes true if the test has shown the others to be worse.
template <Game G>
template <bool kPv>
Value Search<G>::Papers::DeepenSingular(const Node& node, Candidate candidate, Value value,
                                        Value alpha, Value beta, bool& others_known) {
  using namespace search_internal;
  const SearchOptions& o = options();
  if (node.plies() < kSingularClassicDepth || std::abs(value) >= kValueHandGain ||
      !search_.MayExtend(node.ply) || candidate.extension >= kPly) {
    return value;
  }
  const bool refutes = value >= beta;
  const bool leads = kPv && !refutes && (o.singular_classic & 1) != 0;
  const bool high = (refutes || (kPv && candidate.index > 0)) && (o.singular_classic & 2) != 0;
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
  KeepAlone(node, candidate.move);
  candidate.extension = kPly;
  candidate.unreduced = true;
  const Value deeper = search_.template SearchMove<kPv>(node, candidate, alpha, beta);
  // The others are below `low`; they need no search while the deeper value is not.
  others_known = leads && deeper >= low && deeper > alpha;
  return deeper;
}

}  // namespace joseki
