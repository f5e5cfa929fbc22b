#pragma once

#include <algorithm>

#include "engine/search/search_impl.h"

// Null-move (second-order) quiescence after D. Beal (1989) and C. Ye (1992),
// between the main search and the captures: a side that would reach beta by
// passing has nothing to fear and the node ends; otherwise what passing is
// worth bounds what its moves must beat.
namespace joseki {
namespace search_internal {

// Entries of these nodes stand beside those of the main search: their bounds
// rest on passes.
inline constexpr uint64_t kNullQuiescenceKey = 0x5A17C9E36D2B84F1u;

}  // namespace search_internal

// `depth` in parts of a ply.
template <Game G>
Value Search<G>::Impl::NullQuiesce(int ply, int depth, Value alpha, Value beta) {
  using namespace search_internal;
  if (depth < kPly) return Quiesce(ply, 0, alpha, beta);
  Frame& frame = FrameAt(ply);
  frame.key = G::KeyOf(pos_);
  frame.depends = kIndependent;
  pv_length_[ply] = ply;
  seldepth_ = std::max(seldepth_, ply);
  if (Value value; EndsHere(ply, value)) return value;
  Fire(Technique::kNullQuiescenceNode);

  // 1. The table: what the main search has found serves here, never the other
  // way round.
  const bool in_pv = alpha + 1 < beta;
  const int plies = depth / kPly;
  const Key key{frame.key.hi ^ kNullQuiescenceKey, frame.key.lo};
  TtData known;
  TtData own;
  if (Probe(ply, frame.key, known) && known.depth == 0) known = {};  // captures only
  const bool hit = Probe(ply, key, own) && own.depth >= plies;
  if (!in_pv) {
    for (const TtData* data : {&known, &own}) {
      if (data->bound == Bound::kNone || (data == &own && !hit)) continue;
      const Value value = FromTable(data->value, ply);
      if (Has(data->bound, value >= beta ? Bound::kLower : Bound::kUpper)) return value;
    }
  }
  const Move tt_move = known.move ? known.move : own.move;

  // 2. What a pass is worth, by captures alone.
  const bool in_check = G::InCheck(pos_);
  const Value old_alpha = alpha;
  frame.eval = in_check ? kValueNone : evaluator_.Evaluate(pos_);
  Value best = -kValueInfinite;
  Move best_move;
  if (!in_check && ply > 0) {
    Undo undo;
    Pass(ply, undo);
    const Value value = -Quiesce(ply + 1, 0, -beta, -alpha);
    G::TakeBackNull(pos_, undo);
    if (stopped_) return kValueZero;
    best = IsMate(value) ? frame.eval : value;
    frame.depends = FrameAt(ply + 1).depends;
    if (best >= beta) {
      Fire(Technique::kNullQuiescenceCut);
      return best;
    }
    alpha = std::max(alpha, best);
  }

  // 3. All moves.
  Node node{.ply = ply, .depth = depth, .pv = in_pv};
  node.in_check = in_check;
  node.known.move = tt_move;
  FrameAt(ply + 1).killers[0] = FrameAt(ply + 1).killers[1] = Move();
  const MoveHints hints = HintsFor(node);
  MovePicker<G> picker(pos_, history_, options_, MovePicker<G>::Scope::kSearch, tt_move, hints);
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (!CountNode()) return kValueZero;
    Undo undo;
    Play(ply, move, undo);
    const bool extend = options_.null_quiescence_checks != 0 && G::InCheck(pos_) &&
                        ply < options_.extension_cap * (root_depth_ + null_plies_);
    const Value value = -NullQuiesce(ply + 1, extend ? depth : depth - kPly, -beta, -alpha);
    G::TakeBack(pos_, move, undo);
    if (stopped_) return kValueZero;
    if (value <= best) continue;
    best = value;
    frame.depends = FrameAt(ply + 1).depends;
    if (value <= alpha) continue;
    best_move = move;
    if (in_pv) RecordPv(ply, move);
    if (value >= beta) break;
    alpha = value;
  }
  if (best == -kValueInfinite) return MatedIn(ply);
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta                ? Bound::kLower
                        : in_pv && best > old_alpha ? Bound::kExact
                                                    : Bound::kUpper;
    tt_.Store(key, {.move = best_move,
                    .value = ToTable(best, ply),
                    .eval = frame.eval,
                    .depth = plies,
                    .bound = bound});
  }
  return best;
}

}  // namespace joseki
