#pragma once

#include <algorithm>
#include <cassert>
#include <iterator>

#include "engine/search/tree.h"

// A node of the main search, step by step. Each step states its worth: the score of shogi games at
// 10,000 nodes a move unless stated otherwise. The option in brackets leads to the match in
// docs/laboratory/engine.md. At hooks (hooks_) the techniques of engine/search/papers/ take part;
// all are off by default.
namespace joseki {
namespace search_internal {

inline constexpr Reductions kReductions;
inline constexpr int kReductionDepth = 3;
inline constexpr int kReductionIndex = 3;  // moves of a node that are never reduced

}  // namespace search_internal

// Value of the position for the side to move: exact between alpha and beta, otherwise a bound.
template <Game G>
template <bool kPv>
Value Search<G>::Tree::SearchNode(int ply, int depth, Value alpha, Value beta) {
  using namespace search_internal;
  assert(alpha < beta && (kPv || alpha + 1 == beta));
  if (depth < kPly) return Leaf(ply, alpha, beta);

  // 1. End of the game or of the tree. No figure.
  const uint64_t effort_before = budget_.nodes() + credited_;
  Frame& frame = stack_.Enter(ply, G::KeyOf(pos_));
  if (Value value; EndsHere(ply, value)) return value;

  // 2. Mate-distance pruning: no line from here is better than a shorter mate elsewhere. No figure.
  alpha = std::max(alpha, MatedIn(ply));
  beta = std::min(beta, MateIn(ply + 1));
  if (alpha >= beta) return alpha;

  // 3. The table. Principal variations are searched anyway, to have moves to show. A search that
  // excludes a move neither reads nor fills the table. Worth: with a table emptied before each
  // search the score is 46.0 % +- 4.6 (TableForgets).
  const bool testing = static_cast<bool>(frame.excluded);
  Node node{.ply = ply, .depth = depth, .pv = kPv};
  node.hit = !testing && Probe(ply, papers_.null_quiescence.MainKey(frame.key), node.known);
  if (hooks_.table && !node.hit && !testing) papers_.null_quiescence.RecallMove(node);
  if (!kPv && node.hit && node.known.depth >= node.plies()) {
    const Value value = FromTable(node.known.value, ply);
    if (Has(node.known.bound, value >= beta ? Bound::kLower : Bound::kUpper)) {
      Fire(Technique::kTableCut);
      if (hooks_.table) papers_.tables.OnCut(node.known);
      return value;
    }
  }

  // 4. Static evaluation with corrections; meaningless in check. Worth: the corrections score
  // 62.0 % +- 9.5 at 30,000 nodes (Corrections).
  node.in_check = G::InCheck(pos_);
  if (!testing) {
    if (!node.in_check) {
      node.raw_eval =
          node.hit && node.known.eval != kValueNone ? node.known.eval : evaluator_.Evaluate(pos_);
    }
    frame.eval = node.in_check ? kValueNone : lessons_.Corrected(node.raw_eval);
  }
  node.eval = frame.eval;
  const Value before = stack_[ply - 2].eval;
  node.improving = !node.in_check && before != kValueNone && node.eval > before;

  // 5. Cuts before any move: by the evaluation and by a pass. Worth of the evaluation's cut: 70.5 %
  // +- 9.1 at 30,000 nodes (ReverseFutility). Worth of the reduction: a pass four plies shallower
  // scores 55.0 % +- 8.5 against three, at 30,000 nodes (NullMoveBase). C. Ye's pass, a ply
  // shallower, scores 45.6 % +- 4.8 (NullMove 2).
  if (!testing) frame.regret[0] = frame.regret[1] = Move();
  if (hooks_.cut) {
    if (Value value; papers_.cuts.CutsFirst(node, alpha, value)) return value;
    if (budget_.over()) return kValueZero;
  }
  if (!node.in_check && !testing) {
    if (Value value; CutsBeforeMoves(node, alpha, beta, value)) return value;
    if (budget_.over()) return kValueZero;
    frame.depends = kIndependent;
  }
  if (hooks_.cut) {
    if (Value value; papers_.cuts.CutsLast(node, beta, value)) return value;
    if (budget_.over()) return kValueZero;
  }

  // 6. A node without a table move is searched a ply shallower (InternalReduction). Worth: part of
  // set 1 (step 8), not measured alone.
  if (!node.known.move && !testing) {
    if (hooks_.order) papers_.order.template FindTableMove<kPv>(node, alpha, beta);
    if (budget_.over()) return kValueZero;
    if (options_.iir > 0 && node.plies() >= options_.iir && !node.known.move) {
      Fire(Technique::kInternalReduction);
      node.depth -= kPly;
    }
  }

  // 7. All moves, best first. Worth of each part, by the score without it:
  //     captures by gain (OrderCaptures)       25.8 % +- 6.4
  //     table move (OrderTable)                42.8 % +- 6.9
  //     history (OrderHistory)                 43.2 % +- 6.3
  //     continuations (ContinuationHistory)    46.0 % +- 6.5
  //     killers (OrderKillers)                 46.0 % +- 6.9
  //     captures by history (CaptureHistory)   47.8 % +- 6.4
  //     counter moves (OrderCounter)           51.0 % +- 6.3
  // Regret moves score 54.0 % +- 2.5 against a search without (RegretMoves).
  if (hooks_.extend) papers_.extensions.Prepare(node);
  if (hooks_.value && !testing) papers_.bonuses.Ask(ply);
  const MoveHints hints = lessons_.HintsFor(node);
  stack_[ply + 1].killers[0] = stack_[ply + 1].killers[1] = Move();
  MovePicker<G> picker(pos_, lessons_.history(), options_, MovePicker<G>::Scope::kSearch,
                       node.known.move, hints);
  if (hooks_.order && !testing) papers_.killers.BeforeMoves(node);
  const Value old_alpha = alpha;
  Value best = node.passed;
  if (best > -kValueInfinite) {
    frame.depends = node.passed_depends;
    alpha = std::max(alpha, best);
  }
  Move best_move;
  Move quiets[32];  // tried without a cut; further ones are not recorded
  Move captures[16];
  size_t quiet_count = 0;
  size_t capture_count = 0;
  bool any = false;
  bool others_known = false;  // a test of the first move showed the others to be below alpha
  int index = 0;

  // 8. Each move: skipped, or searched deeper or shallower. Worth, at 30,000 nodes:
  //     set 1                                                        60.4 % +- 9.8
  //     checks half a ply deeper, not a whole one (CheckExtensionParts),
  //     and skipped if they lose (CheckPruning): both beside set 1   60.4 % +- 8.8
  //     a table move that stands alone (Singular, MultiCut)          56.5 % +- 3.2
  // At 15,000 nodes:
  //     quiet moves skipped by their reduced depth (PruneReduced)    59.2 % +- 7.9
  //     and by smaller margins (FutilityBase, FutilityPly)           57.8 % +- 5.6
  // Set 1 ("the default set") is late move pruning, greater late move reductions, skipped losses
  // (SeePruning), step 6, and in step 7 continuations and captures by history. Apart from those of
  // step 7, its members were not measured alone. Bonanza's futility in place of ours scores 42.3 %
  // +- 5.0 at 10,000 nodes (Futility); ours has no figure against none.
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (move == frame.excluded) continue;
    any = true;
    Candidate candidate{.move = move, .index = index++ + picker.skipped(), .quiet = false};
    candidate.quiet = !MovePicker<G>::IsTactical(pos_, move);
    candidate.loses = picker.LastLosesMaterial();
    if (hooks_.cut) candidate.group = picker.group();
    const bool may_skip = best > -kValueMateInMaxPly && !node.in_check;
    if (may_skip && IsTooLate(node, candidate)) {
      picker.KeepOnlyChecks();
      continue;
    }
    if (candidate.quiet) candidate.history = lessons_.HistoryOf(ply, move);
    if (may_skip && Skips(node, candidate, alpha, best)) continue;
    if (hooks_.extend) papers_.extensions.ExtendBefore(node, candidate);
    if (move == node.known.move && candidate.extension == 0) {
      Value cut = kValueNone;
      candidate.extension = SingularExtension(node, candidate, beta, cut);
      if (budget_.over()) return kValueZero;
      if (cut != kValueNone) return cut;
    }
    Value value = hooks_.value && !testing
                      ? papers_.bonuses.template SearchMove<kPv>(node, candidate, alpha, beta)
                      : SearchMove<kPv>(node, candidate, alpha, beta);
    if (budget_.over()) return kValueZero;
    if (hooks_.extend && value > alpha && !testing) {
      value = papers_.extensions.template SearchAgain<kPv>(node, candidate, value, alpha, beta,
                                                           others_known);
      if (budget_.over()) return kValueZero;
    }
    if (value > best) {
      best = value;
      frame.depends = stack_[ply + 1].depends;
      if (value > alpha) {
        best_move = move;
        if (kPv) stack_.RecordLine(ply, move);
        if (value >= beta || others_known) break;
        alpha = value;
      }
    }
    if (candidate.quiet) {
      if (quiet_count < std::size(quiets)) quiets[quiet_count++] = move;
    } else if (capture_count < std::size(captures)) {
      captures[capture_count++] = move;
    }
  }

  Fire(Technique::kLateMovePruning, static_cast<uint64_t>(picker.skipped()));

  // 9. A side without a legal move has lost: mated, or stalemated. No figure.
  if (!any) return testing ? alpha : MatedIn(ply);

  // 10. A move that causes a cut is a good guess elsewhere. Worth: that of killers, counter moves
  // and histories (step 7).
  if (hooks_.order && !testing) {
    papers_.killers.OnNodeDone(node, best_move, best >= beta);
    papers_.order.OnNodeDone(node, best_move, best >= beta, std::span(quiets, quiet_count));
  }
  if (best >= beta) {
    lessons_.Reward(node, best_move, std::span(quiets, quiet_count),
                    std::span(captures, capture_count));
  }

  // 11. Store the result, unless it depends on an earlier position of the path, as it is then valid
  // for this path only. Worth: that of the table (step 3).
  if (frame.depends >= ply && !testing) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta              ? Bound::kLower
                        : kPv && best > old_alpha ? Bound::kExact
                                                  : Bound::kUpper;
    if (options_.corrections != 0) lessons_.LearnCorrection(node, best_move, best, bound);
    tt_.Store(papers_.null_quiescence.MainKey(frame.key),
              {.move = best_move,
               .value = ToTable(best, ply),
               .eval = node.raw_eval,
               .depth = node.plies(),
               .bound = bound,
               .nodes = static_cast<uint32_t>(budget_.nodes() + credited_ - effort_before + 1)});
  }
  return best;
}

// Plays the candidate and returns its value for the side that plays it.
template <Game G>
template <bool kPv>
Value Search<G>::Tree::SearchMove(const Node& node, const Candidate& candidate, Value alpha,
                                  Value beta) {
  if (!CountNode()) return kValueZero;
  const int ply = node.ply;
  Undo undo;
  tt_.Prefetch(G::KeyAfter(pos_, candidate.move));
  Play(ply, candidate.move, undo);

  const bool gives_check = G::InCheck(pos_);
  int extension = CheckExtension(node, gives_check);
  extension = hooks_.extend ? papers_.extensions.ExtendAfter(node, candidate, extension)
                            : std::min(extension + candidate.extension, kPly);
  int child_depth = node.depth - kPly + extension;
  int reduction = ReductionOf(node, candidate, child_depth, gives_check);
  if (hooks_.extend)
    papers_.extensions.ChangeDepth(node, candidate, extension, child_depth, reduction);
  if (reduction > 0) Fire(Technique::kLateMoveReduction);

  // Principal variation search: all moves but the first need only be shown to be no better.
  Value value = kValueZero;
  const bool first = candidate.index == 0;
  const bool cut = stack_[ply].cut;
  if (!kPv || !first) {
    stack_[ply + 1].cut = reduction > 0 || !cut;
    value = -SearchNode<false>(ply + 1, child_depth - reduction, -alpha - 1, -alpha);
    if (value > alpha && reduction > 0 && !budget_.over()) {
      Fire(Technique::kReductionRepeated);
      stack_[ply + 1].cut = !cut;
      value = -SearchNode<false>(ply + 1, child_depth, -alpha - 1, -alpha);
    }
  }
  if (kPv && (first || value > alpha) && !budget_.over()) {
    stack_[ply + 1].cut = false;
    value = -SearchNode<true>(ply + 1, child_depth, -beta, -alpha);
  }
  G::TakeBack(pos_, candidate.move, undo);
  if (ply == 0 && (first || value > alpha)) stack_[0].depends = stack_[1].depends;
  return value;
}

// Whether the line may be extended. A line that exceeds its iteration by the cap may not: lines of
// checks would never end.
template <Game G>
bool Search<G>::Tree::MayExtend(int ply) const {
  return ply < options_.extension_cap * root_.depth;
}

// Extension for a check that has been played, in fractions of a ply.
template <Game G>
int Search<G>::Tree::CheckExtension(const Node& node, bool gives_check) {
  if (!gives_check || options_.check_extension != 1 || !MayExtend(node.ply)) return 0;
  Fire(Technique::kCheckExtension);
  return options_.check_extension_parts;
}

// Reduction of a move by depth, number, node and history, in plies; negative for a move with a good
// history.
template <Game G>
int Search<G>::Tree::LateReduction(const Node& node, const Candidate& candidate) const {
  const int parts = search_internal::kReductions(node.plies(), candidate.index) *
                        options_.reduction_percent / 100 +
                    (node.improving ? 0 : options_.reduction_not_improving) +
                    (stack_[node.ply].cut ? options_.reduction_cut_node : 0);
  return (parts + kPly / 2) / kPly - (node.pv ? 1 : 0) - candidate.history / (History<G>::kMax / 2);
}

// Late move reduction: a quiet move late in the order is first searched shallower. Whole plies, in
// fractions of a ply.
template <Game G>
int Search<G>::Tree::ReductionOf(const Node& node, const Candidate& candidate, int child_depth,
                                 bool gives_check) const {
  using namespace search_internal;
  if (options_.late_move_reduction == 0 || node.plies() < kReductionDepth ||
      candidate.index < kReductionIndex || gives_check || node.in_check) {
    return 0;
  }
  // Captures that lose material come last in the picker.
  if (!candidate.quiet && (options_.reduction_captures == 0 || !candidate.loses)) return 0;
  return std::clamp(LateReduction(node, candidate) * kPly, 0, child_depth - kPly);
}

template <Game G>
void Search<G>::Tree::Play(int ply, Move move, Undo& undo) {
  Frame& frame = stack_[ply];
  frame.move = move;
  frame.piece = G::MovedPiece(pos_, move);
  frame.code = History<G>::CodeOf(frame.piece, move);
  if (hooks_.extend) papers_.OnPlay(ply, move);
  G::Do(pos_, move, undo);
}

template <Game G>
void Search<G>::Tree::Pass(int ply, Undo& undo) {
  Frame& frame = stack_[ply];
  frame.move = Move();
  frame.code = 0;
  if (hooks_.extend) papers_.OnPass(ply);
  G::DoNull(pos_, undo);
}

}  // namespace joseki
