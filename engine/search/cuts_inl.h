#pragma once

#include <algorithm>
#include <iterator>

#include "engine/search/search_impl.h"

// Cuts without a full search: of nodes by their evaluation or by a pass, and of irrelevant moves.
namespace joseki {
namespace search_internal {

inline constexpr int kNullDepth = 3;
inline constexpr int kReverseFutilityDepth = 6;
inline constexpr int kFutilityDepth = 6;
inline constexpr int kLateMoveDepth = 8;
inline constexpr int kSeeDepth = 6;

inline constexpr Value kFutilityBase = 100;  // margins by evaluation and depth
inline constexpr Value kFutilityPly = 90;

}  // namespace search_internal

// Whether the node is cut; `value` is then a bound outside the window. REQUIRES: not in check.
template <Game G>
bool Search<G>::Impl::CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value) {
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
  // Null move: a side that is fine even after passing will hardly fall below beta.
  if (hooks_.cut && papers_.passes.Replace()) return papers_.passes.Cut(node, alpha, beta, value);
  if (!PassesByEval(node, beta) || !MayPass(node.ply)) return false;
  value = SearchPass<false>(node.ply, PassDepth(node, beta), beta - 1, beta);
  return !stopped_ && value >= beta && CutByPass(node.ply, beta, value);
}

// A mate found after a pass is not real, so there is no cut where only a mate would cut.
template <Game G>
bool Search<G>::Impl::PassesByEval(const Node& node, Value beta) const {
  return options_.null_move == 1 && !node.pv && node.plies() >= search_internal::kNullDepth &&
         node.eval >= beta && !IsMate(beta);
}

// No pass after a pass: it would only repeat the search of this position.
template <Game G>
bool Search<G>::Impl::MayPass(int ply) const {
  return ply > 0 && FrameAt(ply - 1).move && G::MayPass(pos_) &&
         !(hooks_.cut && papers_.passes.HasEnough(ply));
}

// Remaining depth after a pass; it shrinks as the evaluation exceeds beta.
template <Game G>
int Search<G>::Impl::PassDepth(const Node& node, Value beta) const {
  const int by_value = std::min((node.eval - beta) / 300, 2);
  return node.depth - (options_.null_move_base + node.plies() / 5 + by_value) * kPly;
}

// Value of a pass. Finds regret moves if it does not reach beta.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::SearchPass(int ply, int depth, Value low, Value beta) {
  Undo undo;
  Pass(ply, undo);
  FrameAt(ply + 1).cut = !FrameAt(ply).cut;
  const Value value = -SearchNode<kPv>(ply + 1, depth, -beta, -low);
  if (options_.regret_moves != 0 && !stopped_ && value < beta) FindRegrets(ply);
  G::TakeBackNull(pos_, undo);
  return value;
}

// Cuts the node after a pass has reached beta.
template <Game G>
bool Search<G>::Impl::CutByPass(int ply, Value beta, Value& value) {
  Fire(Technique::kNullCut);
  FrameAt(ply).depends = FrameAt(ply + 1).depends;
  if (IsMate(value)) value = beta;  // a mate after a pass is not real
  return true;
}

// YSS's regret moves: the best reply to the pass just searched, and our answer to it, if the table
// has them. REQUIRES: the position is that after the pass.
template <Game G>
void Search<G>::Impl::FindRegrets(int ply) {
  Frame& frame = FrameAt(ply);
  std::fill(std::begin(frame.regret), std::end(frame.regret), Move());
  const Move reply = KnownMove(ply + 1, G::KeyOf(pos_));
  if (!reply || !G::IsLegal(pos_, reply)) return;
  frame.regret[0] = reply;
  frame.regret[1] = KnownMove(ply + 2, G::KeyAfter(pos_, reply));
  if (hooks_.order) papers_.regrets.FindLine(ply);
}

// Whether a quiet candidate comes so late in the order that it is skipped. REQUIRES: not in check,
// and a move of the node was searched that does not lose at once.
template <Game G>
bool Search<G>::Impl::IsTooLate(const Node& node, const Candidate& candidate) {
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
bool Search<G>::Impl::Skips(const Node& node, const Candidate& candidate, Value alpha,
                            Value& best) {
  using namespace search_internal;
  const int plies = node.plies();
  const Move move = candidate.move;
  if (hooks_.cut && papers_.cuts.SkipsFirst(node, candidate, alpha, best)) return true;

  // Futility: evaluation and depth put a quiet move out of reach of alpha.
  if (options_.futility == 1 && candidate.quiet && plies <= kFutilityDepth) {
    const Value reach = node.eval + kFutilityBase + kFutilityPly * plies + candidate.history / 64;
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
