#pragma once

#include <algorithm>

#include "engine/search/tree.h"

// The leaves: captures and promotions until the position is quiet. Steps state their worth as in
// engine/search/node_inl.h.
namespace joseki {

// Value of a node with less than a ply left.
template <Game G>
Value Search<G>::Tree::Leaf(int ply, Value alpha, Value beta) {
  counts_.Leaf(ply);
  return papers_.null_quiescence.plies() > 0 ? papers_.null_quiescence.SearchLeaf(ply, alpha, beta)
                                             : Quiesce(ply, 0, alpha, beta);
}

// Searches captures and promotions only; in check every evasion, unless the option is off. `qply`
// is the distance from the leaf.
template <Game G>
Value Search<G>::Tree::Quiesce(int ply, int qply, Value alpha, Value beta) {
  using namespace search_internal;

  // 1. End of the game or of the tree. No figure.
  Frame& frame = stack_.Enter(ply, G::KeyOf(pos_));
  if (Value value; EndsHere(ply, value)) return value;

  // 2. The table: every entry is at least as deep as this search. No figure.
  const bool in_pv = alpha + 1 < beta;
  TtData known;
  const bool hit = Probe(ply, frame.key, known);
  if (hit && !in_pv) {
    const Value value = FromTable(known.value, ply);
    if (Has(known.bound, value >= beta ? Bound::kLower : Bound::kUpper)) return value;
  }

  // 3. Stand pat: out of check, a side need not capture (QuiescenceEvasions). No figure.
  const bool in_check = G::InCheck(pos_);
  const bool evades = in_check && options_.quiescence_evasions != 0;
  const Value old_alpha = alpha;
  Value best = -kValueInfinite;
  Value eval = kValueNone;
  Value kept = kValueNone;
  if (!evades) {
    if (hooks_.cut && papers_.null_quiescence.by_material()) {
      eval = papers_.null_quiescence.EvaluateByMaterial();
    } else {
      kept = hit && known.eval != kValueNone ? known.eval : evaluator_.Evaluate(pos_);
      eval = lessons_.Corrected(kept);
    }
    best = eval;
    if (best >= beta) {
      if (!hit) {
        tt_.Store(frame.key, {.move = Move(), .value = best, .eval = kept, .bound = Bound::kLower});
      }
      return best;
    }
    if (hooks_.cut && !hit && !in_check) {
      if (Value value; papers_.mates.AtLeaf(ply, qply, value)) return value;
    }
    alpha = std::max(alpha, best);
  }

  Move best_move;
  // Plays a move; true if it causes a cut or the search is over.
  auto refutes = [&](Move move) {
    if (!CountNode()) return true;
    Undo undo;
    tt_.Prefetch(G::KeyAfter(pos_, move));
    Play(ply, move, undo);
    const Value value = -Quiesce(ply + 1, qply + 1, -beta, -alpha);
    G::TakeBack(pos_, move, undo);
    if (budget_.over()) return true;
    if (value <= best) return false;
    best = value;
    frame.depends = stack_[ply + 1].depends;
    if (value <= alpha) return false;
    best_move = move;
    if (in_pv) stack_.RecordLine(ply, move);
    if (value >= beta) return true;
    alpha = value;
    return false;
  };

  // 4. Captures that could matter: with their gain the value may reach alpha (DeltaMargin), and the
  // exchange does not lose material. No figure.
  MoveHints hints;
  if (hooks_.order) papers_.killers.AddQuiescenceHints(ply, qply, hints);
  MovePicker<G> picker(pos_, lessons_.history(), options_, MovePicker<G>::Scope::kCaptures,
                       known.move, hints);
  bool done = false;
  for (Move move = picker.Next(); move && !done; move = picker.Next()) {
    const bool killer = hints.early_count > 0 && !MovePicker<G>::IsTactical(pos_, move);
    if (in_check && !evades && !MovePicker<G>::IsTactical(pos_, move)) continue;
    if (killer && !in_check) {
      if (!G::SeeAtLeast(pos_, move, 0)) continue;
      Fire(Technique::kKillerQuiescence);
    } else if (!evades) {
      const Value reach = eval + G::OrderValue(pos_, move) + options_.delta_margin;
      if (reach <= alpha) {
        Fire(Technique::kDelta);
        best = std::max(best, reach);
        continue;
      }
      if (!G::SeeAtLeast(pos_, move, 0)) continue;
    }
    done = refutes(move);
  }

  if (hooks_.extend && !in_check && !done) papers_.extensions.TryChecks(qply, refutes);
  if (budget_.over()) return kValueZero;
  if (best == -kValueInfinite) return MatedIn(ply);  // in check without an evasion

  if (hooks_.order && best_move) papers_.killers.OnQuiescenceDone(ply, best_move);

  // 5. Store the result, as in the main search. No figure.
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta                ? Bound::kLower
                        : in_pv && best > old_alpha ? Bound::kExact
                                                    : Bound::kUpper;
    tt_.Store(frame.key,
              {.move = best_move, .value = ToTable(best, ply), .eval = kept, .bound = bound});
  }
  return best;
}

}  // namespace joseki
