#pragma once

#include <algorithm>
#include <cassert>
#include <iterator>

#include "engine/search/papers/favours_inl.h"
#include "engine/search/search_impl.h"

// One node of the main search, step by step.
namespace joseki {
namespace search_internal {

inline constexpr int kMateDepth = 2;  // mate searches are made up to so many plies from the leaves
inline constexpr int kReductionDepth = 3;
inline constexpr int kReductionIndex = 3;  // moves of a node that are never reduced

}  // namespace search_internal

// The value of the position for the side to move, between alpha and beta
// exactly, outside as a bound.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::SearchNode(int ply, int depth, Value alpha, Value beta) {
  using namespace search_internal;
  assert(alpha < beta && (kPv || alpha + 1 == beta));
  if (depth < kPly) return Leaf(ply, alpha, beta);

  // 1. Ends of the game, and of the tree.
  Frame& frame = FrameAt(ply);
  const uint64_t effort_before = nodes_ + credited_;
  frame.key = G::KeyOf(pos_);
  frame.depends = kIndependent;
  pv_length_[ply] = ply;
  seldepth_ = std::max(seldepth_, ply);
  if (Value value; EndsHere(ply, value)) return value;

  // 2. Mate-distance pruning: no line from here is better than one that mates
  // sooner elsewhere.
  alpha = std::max(alpha, MatedIn(ply));
  beta = std::min(beta, MateIn(ply + 1));
  if (alpha >= beta) return alpha;

  // 3. The table. A principal variation is searched all the same, so that it
  // has moves to show. What is searched without one of the moves has no
  // business with the table.
  const bool testing = static_cast<bool>(frame.excluded);
  Node node{.ply = ply, .depth = depth, .pv = kPv};
  node.hit = !testing && Probe(ply, MainKey(frame.key), node.known);
  if (!node.hit && !testing && phase_before_ != phase_) {
    // Of the iteration before the move alone is worth something.
    TtData before;
    if (Probe(ply, {frame.key.hi ^ phase_before_, frame.key.lo}, before)) {
      node.known.move = before.move;
    }
  }
  if (!kPv && node.hit && node.known.depth >= node.plies()) {
    const Value value = FromTable(node.known.value, ply);
    if (Has(node.known.bound, value >= beta ? Bound::kLower : Bound::kUpper)) {
      Fire(Technique::kTableCut);
      if (options_.table_replacement == static_cast<int>(Replacement::kBigAll)) {
        credited_ += node.known.nodes;
      }
      return value;
    }
  }

  // 4. Static evaluation; in check it would say nothing.
  node.in_check = G::InCheck(pos_);
  if (!testing) {
    if (!node.in_check) {
      node.raw_eval =
          node.hit && node.known.eval != kValueNone ? node.known.eval : evaluator_.Evaluate(pos_);
    }
    frame.eval = node.in_check ? kValueNone : Corrected(node.raw_eval);
  }
  node.eval = frame.eval;
  const Value before = FrameAt(ply - 2).eval;
  node.improving = !node.in_check && before != kValueNone && node.eval > before;

  // 5. Off the plain path: near the horizon, a mate by checks alone.
  if (options_.mate_nodes > 0 && node.plies() <= kMateDepth && ply > 0 && !testing) {
    if (Value value; FindsMate(node, value)) return value;
    if (stopped_) return kValueZero;
  }

  // 6. Cuts that need no move.
  if (!testing) frame.regret[0] = frame.regret[1] = Move();
  if (!node.in_check && !testing) {
    if (Value value; CutsBeforeMoves(node, alpha, beta, value)) return value;
    if (stopped_) return kValueZero;
    frame.depends = kIndependent;
  }

  // 7. A node that the table does not know may hold a mate, is worth less, or worth looking at.
  if (options_.mate_in_one == 2 && !node.hit && !node.in_check && !testing && ply > 0) {
    if (Value value; MatesInOne(ply, value)) return value;
  }
  if (!node.known.move && !testing) FindTableMove<kPv>(node, alpha, beta);
  if (stopped_) return kValueZero;

  // 8. All moves, best first.
  Prepare(node);
  if (!testing) AskFavours(ply);
  const MoveHints hints = HintsFor(node);
  FrameAt(ply + 1).killers[0] = FrameAt(ply + 1).killers[1] = Move();
  MovePicker<G> picker(pos_, history_, options_, MovePicker<G>::Scope::kSearch, node.known.move,
                       hints);
  const KillerMoves killers = rates_ != nullptr ? LegalKillers(ply) : KillerMoves();
  const Value old_alpha = alpha;
  Value best = node.passed;
  if (best > -kValueInfinite) {
    frame.depends = node.passed_depends;
    alpha = std::max(alpha, best);
  }
  Move best_move;
  Move quiets[32];  // tried without success; more than these are not worth
                    // remembering
  Move captures[16];
  size_t quiet_count = 0;
  size_t capture_count = 0;
  bool any = false;
  bool others_known = false;  // to be below alpha, from a test of the first move
  int index = 0;
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (move == frame.excluded) continue;
    any = true;
    Candidate candidate{.move = move, .index = index++ + picker.skipped(), .quiet = false};
    candidate.quiet = !MovePicker<G>::IsTactical(pos_, move);
    candidate.loses = picker.LastLosesMaterial();
    if (options_.order_groups == 2) candidate.group = picker.group();
    const bool may_skip = best > -kValueMateInMaxPly && !node.in_check;
    if (may_skip && IsTooLate(node, candidate)) {
      picker.KeepOnlyChecks();
      continue;
    }
    if (candidate.quiet) candidate.history = HistoryOf(ply, move);
    if (may_skip && Skips(node, candidate, alpha, best)) continue;
    if (options_.realization != 0) {
      const int category = G::CategoryOf(pos_, move, FrameAt(ply - 1).move);
      candidate.cost = G::TransitionCost(node.stage, category);
      // J. Hashimoto's killers have a high probability, whatever their category.
      if (options_.killer_unreduced != 0 && candidate.cost > kPly && IsKiller(ply, move)) {
        candidate.cost = kPly;
      }
    }
    Value cut = kValueNone;
    candidate.extension = ExtensionBefore(node, candidate, beta, cut);
    if (stopped_) return kValueZero;
    if (cut != kValueNone) return cut;
    Value value = testing ? SearchMove<kPv>(node, candidate, alpha, beta)
                          : SearchFavoured<kPv>(node, candidate, alpha, beta);
    if (stopped_) return kValueZero;
    if (value > alpha && !testing) {
      if (const int more = SearchAgain(node, candidate); more > 0) {
        candidate.extension += more;
        candidate.unreduced = true;
        value = SearchFavoured<kPv>(node, candidate, alpha, beta);
      }
      if (options_.singular_classic != 0 && value > alpha && !stopped_) {
        value = DeepenSingular<kPv>(node, candidate, value, alpha, beta, others_known);
      }
      if (stopped_) return kValueZero;
    }
    if (value > best) {
      best = value;
      frame.depends = FrameAt(ply + 1).depends;
      if (value > alpha) {
        best_move = move;
        if (kPv) RecordPv(ply, move);
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

  // 9. No legal move loses: mated, or with nothing that can move.
  if (!any) return testing ? alpha : MatedIn(ply);

  // 10. A move that refutes is a good guess elsewhere.
  if (rates_ != nullptr && !testing) RateKillers(node, killers, best_move, best >= beta);
  if (best_move && !testing) TeachKillers(ply, best_move);
  if (best >= beta) {
    Reward(node, best_move, std::span(quiets, quiet_count), std::span(captures, capture_count));
  }

  // 11. Remember, unless the value rests on a position before this one: it
  // holds for this path alone.
  if (frame.depends >= ply && !testing) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta              ? Bound::kLower
                        : kPv && best > old_alpha ? Bound::kExact
                                                  : Bound::kUpper;
    if (options_.corrections != 0) LearnCorrection(node, best_move, best, bound);
    tt_.Store(MainKey(frame.key),
              {.move = best_move,
               .value = ToTable(best, ply),
               .eval = node.raw_eval,
               .depth = node.plies(),
               .bound = bound,
               .nodes = static_cast<uint32_t>(nodes_ + credited_ - effort_before + 1)});
  }
  return best;
}

// Plays the candidate and returns its value for the side that plays it.
template <Game G>
template <bool kPv>
Value Search<G>::Impl::SearchMove(const Node& node, const Candidate& candidate, Value alpha,
                                  Value beta) {
  if (!CountNode()) return kValueZero;
  const int ply = node.ply;
  Undo undo;
  tt_.Prefetch(G::KeyAfter(pos_, candidate.move));
  Play(ply, candidate.move, undo);

  const bool gives_check = G::InCheck(pos_);
  // A ply at most, two where a move is searched once more or the position asks for so much.
  const int most = candidate.unreduced || candidate.extension > kPly ||
                           (options_.king_threat > 0 && options_.king_threat % 2 == 0)
                       ? 2 * kPly
                       : kPly;
  const int extension =
      std::min(candidate.extension + ExtensionAfter(node, candidate, gives_check), most);
  // TACOS: a likely move costs less than a ply, an unlikely one more; if that
  // one beats alpha it is searched again as if it were ordinary.
  int child_depth = node.depth - kPly + extension;
  if (options_.realization != 0 && extension == 0) {
    Fire(Technique::kRealization);
    child_depth = node.depth - std::min(candidate.cost, kPly);
  }
  const int reduction = ReductionOf(node, candidate, child_depth, gives_check);
  if (reduction > 0) Fire(Technique::kLateMoveReduction);

  // Principal variation search: all but the first move need only be shown to be
  // no better.
  Value value = kValueZero;
  const bool first = candidate.index == 0;
  const bool cut = FrameAt(ply).cut;
  if (!kPv || !first) {
    FrameAt(ply + 1).cut = reduction > 0 || !cut;
    value = -SearchNode<false>(ply + 1, child_depth - reduction, -alpha - 1, -alpha);
    if (value > alpha && reduction > 0 && !stopped_) {
      Fire(Technique::kReductionRepeated);
      FrameAt(ply + 1).cut = !cut;
      value = -SearchNode<false>(ply + 1, child_depth, -alpha - 1, -alpha);
    }
  }
  if (kPv && (first || value > alpha) && !stopped_) {
    FrameAt(ply + 1).cut = false;
    value = -SearchNode<true>(ply + 1, child_depth, -beta, -alpha);
  }
  G::TakeBack(pos_, candidate.move, undo);
  if (ply == 0 && (first || value > alpha)) FrameAt(0).depends = FrameAt(1).depends;
  return value;
}

// Late move reduction: a quiet move that the ordering puts far behind is first
// searched less deep, the less so the better its history. In parts of a ply,
// whole plies.
template <Game G>
int Search<G>::Impl::ReductionOf(const Node& node, const Candidate& candidate, int child_depth,
                                 bool gives_check) const {
  using namespace search_internal;
  if (options_.realization != 0 && node.ply > 0) {
    const bool first = candidate.index == 0 || candidate.unreduced;
    return first ? 0 : std::clamp(candidate.cost - kPly, 0, std::max(child_depth - kPly, 0));
  }
  if (options_.late_move_reduction == 0 || node.plies() < kReductionDepth ||
      candidate.index < kReductionIndex || gives_check || node.in_check || candidate.unreduced) {
    return 0;
  }
  // The picker keeps what loses material for the end.
  if (!candidate.quiet && (options_.reduction_captures == 0 || !candidate.loses)) return 0;
  if (options_.killer_unreduced != 0 && IsKiller(node.ply, candidate.move)) return 0;
  const int parts = kReductions(node.plies(), candidate.index) * options_.reduction_percent / 100 +
                    (node.improving ? 0 : options_.reduction_not_improving) +
                    (FrameAt(node.ply).cut ? options_.reduction_cut_node : 0);
  const int plies =
      (parts + kPly / 2) / kPly - (node.pv ? 1 : 0) - candidate.history / (History<G>::kMax / 2);
  return std::clamp(plies * kPly, 0, child_depth - kPly);
}

// Internal iterative deepening, which finds a move to begin with, or reduction,
// which puts the node off until an iteration has left it one.
template <Game G>
template <bool kPv>
void Search<G>::Impl::FindTableMove(Node& node, Value alpha, Value beta) {
  if (options_.iid > 0 && node.plies() >= options_.iid && node.ply > 0) {
    Fire(Technique::kInternalDeepening);
    SearchNode<kPv>(node.ply, node.depth - 2 * kPly, alpha, beta);
    Frame& frame = FrameAt(node.ply);
    frame.depends = search_internal::kIndependent;
    pv_length_[node.ply] = node.ply;
    if (stopped_) return;
    node.known.move = KnownMove(node.ply, MainKey(frame.key));
  }
  if (options_.iir > 0 && node.plies() >= options_.iir && !node.known.move) {
    Fire(Technique::kInternalReduction);
    node.depth -= kPly;
  }
}

template <Game G>
void Search<G>::Impl::Play(int ply, Move move, Undo& undo) {
  Frame& frame = FrameAt(ply);
  frame.move = move;
  frame.piece = G::MovedPiece(pos_, move);
  frame.code = History<G>::CodeOf(frame.piece, move);
  frame.captures = G::IsCapture(pos_, move);
  if (options_.horizon_sacrifice != 0 && ply < 2) frame.gives_up = !G::SeeAtLeast(pos_, move, 0);
  if (edge_attack_) FollowEdgeAttack(ply, move);
  FrameAt(ply + 1).passes = frame.passes;
  G::Do(pos_, move, undo);
}

template <Game G>
void Search<G>::Impl::Pass(int ply, Undo& undo) {
  Frame& frame = FrameAt(ply);
  frame.move = Move();
  frame.code = 0;
  frame.captures = frame.gives_up = false;
  FrameAt(ply + 1).passes = frame.passes + 1;
  FrameAt(ply + 1).attacks = frame.attacks;
  G::DoNull(pos_, undo);
}

// The line from here is `move` and the line of the child.
template <Game G>
void Search<G>::Impl::RecordPv(int ply, Move move) {
  pv_[ply][ply] = move;
  const int end = std::max(pv_length_[ply + 1], ply + 1);
  std::copy(pv_[ply + 1] + ply + 1, pv_[ply + 1] + end, pv_[ply] + ply + 1);
  pv_length_[ply] = end;
}

// False if the limit forbids one more node; the search then unwinds.
template <Game G>
bool Search<G>::Impl::CountNode() {
  if (stopped_) return false;
  if (limits_.nodes != 0 && nodes_ >= limits_.nodes) {
    stopped_ = true;
    return false;
  }
  if ((++nodes_ & 255) == 0) Poll();
  return true;
}

template <Game G>
void Search<G>::Impl::Poll() {
  if (stop_requested_.load(std::memory_order_relaxed)) stopped_ = true;
  if (options_.table_full_stops != 0 && tt_.full()) {
    Fire(Technique::kTableStop);
    stopped_ = true;
  }
  if (limits_.hard_ms > 0 && (nodes_ & 1023) == 0 && ElapsedMs() >= limits_.hard_ms)
    stopped_ = true;
}

}  // namespace joseki
