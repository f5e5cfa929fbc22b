#pragma once

#include <cstdlib>

#include "engine/search/search_impl.h"

// Singular extensions after T. Anantharaman, M. Campbell and F.-h. Hsu (1988), in the form of C. Ye
// (figures 5.1 and 5.2 of his thesis). Not the table's move alone is tested, but any move that
// turns out best: in the principal variation against the others at the depth that they have anyway,
// where it fails high against the others two plies less deep. Not at the root, whose best move the
// next iteration takes further.
namespace joseki {
namespace search_internal {

inline constexpr int kSingularClassicDepth = 3;
inline constexpr int kSingularReduction = 2;  // plies, of the test where a move fails high

}  // namespace search_internal

// Whether all moves of the node but this one stay below `low`, with `depth` left behind each:
// nothing is reduced or skipped here, and where less than a ply is left captures decide.
template <Game G>
bool Search<G>::Impl::StandsAlone(const Node& node, Move move, int depth, Value low) {
  MovePicker<G> picker(pos_, history_, options_, MovePicker<G>::Scope::kSearch, node.known.move,
                       HintsFor(node));
  for (Move other = picker.Next(); other; other = picker.Next()) {
    if (other == move) continue;
    if (!CountNode()) return false;
    Undo undo;
    Play(node.ply, other, undo);
    FrameAt(node.ply + 1).cut = true;
    const Value value = -SearchNode<false>(node.ply + 1, depth, -low, 1 - low);
    G::TakeBack(pos_, other, undo);
    if (stopped_ || value >= low) return false;
  }
  return true;
}

// The value of a move that has beaten alpha, from a search one ply deeper where it stands alone.
// `others_known` becomes true if the test has shown the others to be worse.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::DeepenSingular(const Node& node, Candidate candidate, Value value,
                                      Value alpha, Value beta, bool& others_known) {
  using namespace search_internal;
  if (node.plies() < kSingularClassicDepth || std::abs(value) >= kValueHandGain ||
      node.ply >= options_.extension_cap * root_depth_ || candidate.extension >= kPly) {
    return value;
  }
  const bool refutes = value >= beta;
  const bool leads = kPv && !refutes && (options_.singular_classic & 1) != 0;
  const bool high =
      (refutes || (kPv && candidate.index > 0)) && (options_.singular_classic & 2) != 0;
  if (!leads && !high) return value;
  const Value low = leads ? value - options_.singular_margin_pv
                          : (refutes ? beta : alpha) - options_.singular_margin_cut;
  const int depth = node.depth - kPly - (leads ? 0 : kSingularReduction * kPly);
  const int depends = FrameAt(node.ply + 1).depends;
  const bool alone = StandsAlone(node, candidate.move, depth, low);
  FrameAt(node.ply + 1).depends = depends;
  pv_length_[node.ply + 1] = node.ply + 1;  // the test has walked over the line
  if (!alone || stopped_) return value;
  Fire(Technique::kClassicSingular);
  candidate.extension = kPly;
  candidate.unreduced = true;
  const Value deeper = SearchMove<kPv>(node, candidate, alpha, beta);
  // The others are below `low`; they need no search while the deeper value is not.
  others_known = leads && deeper >= low && deeper > alpha;
  return deeper;
}

}  // namespace joseki
