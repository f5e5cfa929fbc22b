#pragma once

#include <cstdlib>

#include "engine/search/tree.h"

// Singular extension of the table's move: a move far above all others of its node.
namespace joseki {
namespace search_internal {

inline constexpr Value kSingularMargin = 4;   // a ply of depth
inline constexpr int kSingularTableLack = 3;  // plies that the table's search may lack

}  // namespace search_internal

// The extension of the table's move where all others, searched half as deep, stay below its value.
// Where they reach beta as well, `cut` becomes a value to return at once, outside the principal
// variation (multi-cut, Y. Bjoernsson and T. Marsland 1998). REQUIRES: the candidate is the table's
// move.
template <Game G>
int Search<G>::Tree::SingularExtension(const Node& node, const Candidate& candidate, Value beta,
                                       Value& cut) {
  using namespace search_internal;
  Frame& frame = stack_[node.ply];
  if (options_.singular == 0 || node.plies() < options_.singular || frame.excluded ||
      node.known.depth < node.plies() - kSingularTableLack ||
      !Has(node.known.bound, Bound::kLower) || !MayExtend(node.ply)) {
    return 0;
  }
  const Value known = FromTable(node.known.value, node.ply);
  if (std::abs(known) >= kValueHandGain) return 0;
  const Value low = known - kSingularMargin * node.plies();
  Fire(Technique::kSingularTest);
  frame.excluded = candidate.move;
  const Value rest = SearchNode<false>(node.ply, (node.depth - kPly) / 2, low - 1, low);
  frame.excluded = Move();
  if (budget_.over()) return 0;
  if (rest >= low && options_.multi_cut != 0 && !node.pv && low >= beta) {
    Fire(Technique::kMultiCut);
    cut = low;
    return 0;
  }
  frame.depends = kIndependent;
  if (rest >= low) return 0;
  Fire(Technique::kSingularExtension);
  if (hooks_.extend) papers_.singular.Keep(node, candidate.move);
  return kPly;
}

}  // namespace joseki
