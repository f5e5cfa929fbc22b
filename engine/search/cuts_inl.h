#pragma once

#include <algorithm>

#include "engine/search/null_move.h"
#include "engine/search/tree.h"

// Cuts without a full search: of nodes by their evaluation, and of irrelevant moves.
namespace joseki {
namespace search_internal {

inline constexpr int kReverseFutilityDepth = 6;
inline constexpr int kFutilityDepth = 6;
inline constexpr int kLateMoveDepth = 8;
inline constexpr int kSeeDepth = 6;

}  // namespace search_internal

// Whether the node is cut; `value` is then a bound outside the window. REQUIRES: not in check.
template <Game G>
bool Search<G>::Tree::CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value) {
  using namespace search_internal;
  // Reverse futility: near the leaves, an evaluation far above beta is assumed to stay above it.
  if (!node.pv && options_.reverse_futility > 0 && node.plies() <= kReverseFutilityDepth &&
      !IsMate(beta)) {
    const int steps = node.plies() - (node.improving ? 1 : 0);
    if (node.eval - options_.reverse_futility * steps >= beta && node.eval < kValueHandGain) {
      Fire(Technique::kReverseFutility);
      value = node.eval;
      return true;
    }
  }
  return null_move_.Cuts(node, alpha, beta, value);
}

// Whether a quiet candidate comes so late in the order that it is skipped. REQUIRES: not in check,
// and a move of the node was searched that does not lose at once.
template <Game G>
bool Search<G>::Tree::IsTooLate(const Node& node, const Candidate& candidate) {
  using namespace search_internal;
  const int plies = node.plies();
  if (options_.late_move_pruning == 0 || !candidate.quiet || plies > kLateMoveDepth) return false;
  const int most = options_.late_move_pruning + 2 * plies * plies;
  if (candidate.index < (node.improving ? most : most * 2 / 3)) return false;
  if (G::GivesCheck(pos_, candidate.move)) return false;
  Fire(Technique::kLateMovePruning);
  return true;
}

// Whether the candidate is skipped. `best` is raised if the move has a bound. REQUIRES: as
// IsTooLate.
template <Game G>
bool Search<G>::Tree::Skips(const Node& node, const Candidate& candidate, Value alpha,
                            Value& best) {
  using namespace search_internal;
  const Move move = candidate.move;
  if (hooks_.cut && papers_.cuts.SkipsFirst(node, candidate, alpha, best)) return true;

  // Quiet moves are judged by the depth to which a late one would be reduced (PruneReduced).
  int plies = node.plies();
  if (options_.prune_reduced != 0 && candidate.quiet) {
    plies = std::max(plies - std::max(LateReduction(node, candidate), 0), 1);
  }

  // Futility: evaluation and depth put a quiet move out of reach of alpha.
  if (options_.futility == 1 && candidate.quiet && plies <= kFutilityDepth) {
    const Value reach =
        node.eval + options_.futility_base + options_.futility_ply * plies + candidate.history / 64;
    if (reach <= alpha && !G::GivesCheck(pos_, move)) {
      Fire(Technique::kFutility);
      best = std::max(best, reach);
      return true;
    }
  }
  // Skips losses that are too large for the remaining depth. Checks have a margin of their own:
  // drops give many, most of which only lose material.
  if (plies <= kSeeDepth) {
    const bool gives_check = G::GivesCheck(pos_, move);
    const int margin = gives_check ? options_.check_pruning : options_.see_pruning;
    if (margin > 0 && !G::SeeAtLeast(pos_, move, -margin * plies)) {
      Fire(gives_check ? Technique::kCheckPruning : Technique::kSeePruning);
      return true;
    }
  }
  return hooks_.cut && papers_.cuts.SkipsLast(node, candidate);
}

}  // namespace joseki
