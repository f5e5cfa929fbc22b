#pragma once

#include <cstdlib>

#include "engine/search/search_impl.h"

// Singular extensions after T. Anantharaman, M. Campbell and F.-h. Hsu (1988),
// in the form of C. Ye: not the table's move alone is tested, but any move that
// turns out best.
namespace joseki {
namespace search_internal {

inline constexpr int kSingularClassicDepth = 3;
inline constexpr int kSingularReduction = 2;  // plies, of the test where a move fails high

}  // namespace search_internal

// Whether all other moves of the node stay below `low` at `depth`.
template <Game G>
bool Search<G>::Impl::StandsAlone(const Node& node, Move move, int depth, Value low) {
  Frame& frame = FrameAt(node.ply);
  const int depends = frame.depends;
  frame.excluded = move;
  const Value rest = SearchNode<false>(node.ply, depth, low - 1, low);
  frame.excluded = Move();
  frame.depends = depends;
  return rest < low && !stopped_;
}

// The value of a move that has beaten alpha, from a search one ply deeper where
// it stands alone. `others_known` becomes true if the test has shown the others
// to be worse.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::DeepenSingular(const Node& node, Candidate candidate, Value value,
                                      Value alpha, Value beta, bool& others_known) {
  using namespace search_internal;
  if (node.plies() < kSingularClassicDepth || std::abs(value) >= kValueHandGain || node.in_check ||
      node.ply >= options_.extension_cap * root_depth_ || candidate.extension >= kPly) {
    return value;
  }
  const int frames_depend = FrameAt(node.ply + 1).depends;
  const bool high = value >= beta;
  if (high ? (options_.singular_classic & 2) == 0
           : (options_.singular_classic & 1) == 0 || !kPv || candidate.index > 0) {
    return value;
  }
  const Value low =
      high ? beta - options_.singular_margin_cut : value - options_.singular_margin_pv;
  const int depth = node.depth - kPly - (high ? kSingularReduction * kPly : 0);
  // The test walks over what this line has left below the node.
  const bool alone = StandsAlone(node, candidate.move, depth, low);
  FrameAt(node.ply + 1).depends = frames_depend;
  if (!alone || stopped_) {
    pv_length_[node.ply + 1] = node.ply + 1;
    return value;
  }
  Fire(Technique::kClassicSingular);
  candidate.extension = kPly;
  candidate.unreduced = true;
  const Value deeper = SearchMove<kPv>(node, candidate, alpha, beta);
  // The others are below `low`; they need no search while the deeper value
  // stays above.
  others_known = !high && deeper > low && deeper > alpha;
  return deeper;
}

}  // namespace joseki
