#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "engine/search/cuts_inl.h"
#include "engine/search/search_impl.h"

// Null-move (second-order) quiescence after D. Beal (1989) and C. Ye (1992),
// between the main search and the captures: a side that would reach beta by
// passing has nothing to fear and the node ends; otherwise what passing is
// worth bounds what its moves must beat.
//
// What C. Ye leaves to others, or tried and rejected, is there by options: deepening at its roots,
// futility, other extensions and singular ones, and material as all that changes below a root. How
// the thesis joins that with the positional value above is not said; here the root's is carried
// down.
namespace joseki {
namespace search_internal {

// Entries of these nodes stand beside those of the main search: their bounds
// rest on passes.
inline constexpr uint64_t kNullQuiescenceKey = 0x5A17C9E36D2B84F1u;

}  // namespace search_internal

// The value of a leaf of the main search.
template <Game G>
Value Search<G>::Impl::NullQuiescenceRoot(int ply, Value alpha, Value beta) {
  if (options_.null_quiescence_material != 0) {
    Fire(Technique::kNullQuiescenceMaterial);
    const Value besides = evaluator_.Evaluate(pos_) - G::Material(pos_);
    position_value_ = G::SideToMove(pos_) == Color::kFirst ? besides : -besides;
    by_material_ = true;
  }
  int plies = options_.null_quiescence_deepening != 0 ? 1 : null_plies_;
  Value value = NullQuiesce(ply, plies * kPly, alpha, beta);
  for (++plies; plies <= null_plies_ && !stopped_; ++plies) {
    Fire(Technique::kNullQuiescenceDeepening);
    value = NullQuiesce(ply, plies * kPly, alpha, beta);
  }
  by_material_ = false;
  return value;
}

template <Game G>
Value Search<G>::Impl::EvaluateByMaterial() const {
  const bool first = G::SideToMove(pos_) == Color::kFirst;
  return G::Material(pos_) + (first ? position_value_ : -position_value_);
}

// The evaluation at hand, which the table may know. Below a root that goes by material the table's
// has no business here, nor what is found here there.
template <Game G>
Value Search<G>::Impl::EvaluateLeaf(bool hit, const TtData& known) {
  if (by_material_) return EvaluateByMaterial();
  return hit && known.eval != kValueNone ? known.eval : evaluator_.Evaluate(pos_);
}

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
  const bool testing = static_cast<bool>(frame.excluded);
  const bool in_pv = alpha + 1 < beta;
  Node node{.ply = ply, .depth = depth, .pv = in_pv};
  const Key key{frame.key.hi ^ kNullQuiescenceKey, frame.key.lo};
  TtData known;
  TtData own;
  if (Probe(ply, MainKey(frame.key), known) && known.depth == 0) known = {};  // captures only
  const bool hit = Probe(ply, key, own) && own.depth >= node.plies();
  if (!in_pv && !testing) {
    for (const TtData* data : {&known, &own}) {
      if (data->bound == Bound::kNone || (data == &own && !hit)) continue;
      const Value value = FromTable(data->value, ply);
      if (Has(data->bound, value >= beta ? Bound::kLower : Bound::kUpper)) return value;
    }
  }
  node.known.move = known.move ? known.move : own.move;

  // 2. What a pass is worth, by captures alone.
  node.in_check = G::InCheck(pos_);
  const Value old_alpha = alpha;
  if (!node.in_check) {
    node.eval = EvaluateLeaf(false, known);
    if (!by_material_) {
      node.raw_eval = node.eval;
      node.eval = Corrected(node.raw_eval);
    }
  }
  frame.eval = node.eval;
  Value best = -kValueInfinite;
  Move best_move;
  if (!node.in_check && ply > 0) {
    Undo undo;
    Pass(ply, undo);
    const Value value = -Quiesce(ply + 1, 0, -beta, -alpha);
    G::TakeBackNull(pos_, undo);
    if (stopped_) return kValueZero;
    // Who would be mated after a pass has to move; a mate that rests on one is none.
    if (value > -kValueMateInMaxPly) {
      best = IsMate(value) ? frame.eval : value;
      frame.depends = FrameAt(ply + 1).depends;
    }
    if (best >= beta) {
      Fire(Technique::kNullQuiescenceCut);
      return best;
    }
    alpha = std::max(alpha, best);
  }

  // 3. All moves.
  const bool extends = options_.null_quiescence_extensions != 0 &&
                       ply < options_.extension_cap * (root_depth_ + null_plies_);
  if (extends) Prepare(node);
  FrameAt(ply + 1).killers[0] = FrameAt(ply + 1).killers[1] = Move();
  const MoveHints hints = HintsFor(node);
  MovePicker<G> picker(pos_, history_, options_, MovePicker<G>::Scope::kSearch, node.known.move,
                       hints);
  Move quiets[32];
  size_t quiet_count = 0;
  bool any = false;
  int index = 0;
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (move == frame.excluded) continue;
    any = true;
    Candidate candidate{.move = move, .index = index++, .quiet = false};
    candidate.quiet = !MovePicker<G>::IsTactical(pos_, move);
    if (SkipsInNullQuiescence(node, move, alpha, best)) continue;
    if (extends) candidate.extension = KnownExtension(node, candidate);
    Value value = SearchNullQuiescenceMove(node, candidate, alpha, beta);
    if (stopped_) return kValueZero;
    if (extends && options_.null_quiescence_extensions == 2 && value > alpha && !testing &&
        candidate.extension < kPly && StandsAloneInNullQuiescence(node, move, value, beta)) {
      Fire(Technique::kNullQuiescenceSingular);
      candidate.extension = kPly;
      value = SearchNullQuiescenceMove(node, candidate, alpha, beta);
    }
    if (stopped_) return kValueZero;
    if (value > best) {
      best = value;
      frame.depends = FrameAt(ply + 1).depends;
      if (value > alpha) {
        best_move = move;
        if (in_pv) RecordPv(ply, move);
        if (value >= beta) break;
        alpha = value;
      }
    }
    if (candidate.quiet && quiet_count < std::size(quiets)) quiets[quiet_count++] = move;
  }
  if (!any && best == -kValueInfinite) return testing ? old_alpha : MatedIn(ply);
  if (testing) return best;

  // 4. As in the main search.
  if (best >= beta && best_move) Reward(node, best_move, std::span(quiets, quiet_count), {});
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta                ? Bound::kLower
                        : in_pv && best > old_alpha ? Bound::kExact
                                                    : Bound::kUpper;
    tt_.Store(key, {.move = best_move,
                    .value = ToTable(best, ply),
                    .eval = node.raw_eval,
                    .depth = node.plies(),
                    .bound = bound});
  }
  return best;
}

// Plays the candidate and returns its value for the side that plays it.
template <Game G>
Value Search<G>::Impl::SearchNullQuiescenceMove(const Node& node, const Candidate& candidate,
                                                Value alpha, Value beta) {
  if (!CountNode()) return kValueZero;
  Undo undo;
  Play(node.ply, candidate.move, undo);
  const bool gives_check = G::InCheck(pos_);
  int extension = candidate.extension;
  if (options_.null_quiescence_extensions != 0) {
    extension += ExtensionAfter(node, candidate, gives_check);
    if (extension > 0) Fire(Technique::kNullQuiescenceExtension);
  }
  if (options_.null_quiescence_checks != 0 && gives_check &&
      node.ply < options_.extension_cap * (root_depth_ + null_plies_)) {
    extension = kPly;
  }
  const int depth = node.depth - kPly + std::min(extension, kPly);
  const Value value = -NullQuiesce(node.ply + 1, depth, -beta, -alpha);
  G::TakeBack(pos_, candidate.move, undo);
  return value;
}

// C. Ye's futility: not with all that position may be worth does the move reach alpha. `best`
// follows. Checks and answers to them are searched.
template <Game G>
bool Search<G>::Impl::SkipsInNullQuiescence(const Node& node, Move move, Value alpha, Value& best) {
  const int form = options_.null_quiescence_futility;
  if (form == 0 || node.in_check || (form == 1 && node.plies() > 1)) return false;
  const Value reach = G::Material(pos_) + G::GainOf(pos_, move) + search_internal::kMaxPositional;
  if (reach > alpha || G::GivesCheck(pos_, move)) return false;
  Fire(Technique::kNullQuiescenceFutility);
  best = std::max(best, reach);
  return true;
}

// Whether all other moves, a ply less deep, stay as far below as SingularClassic would have it.
template <Game G>
bool Search<G>::Impl::StandsAloneInNullQuiescence(const Node& node, Move move, Value value,
                                                  Value beta) {
  using namespace search_internal;
  if (node.plies() < 2 || node.in_check || std::abs(value) >= kValueHandGain) return false;
  const Value low =
      value >= beta ? beta - options_.singular_margin_cut : value - options_.singular_margin_pv;
  Frame& frame = FrameAt(node.ply);
  const int depends = frame.depends;
  const int below_depends = FrameAt(node.ply + 1).depends;
  frame.excluded = move;
  const Value rest = NullQuiesce(node.ply, node.depth - kPly, low - 1, low);
  frame.excluded = Move();
  frame.depends = depends;
  FrameAt(node.ply + 1).depends = below_depends;
  pv_length_[node.ply + 1] = node.ply + 1;  // the test has walked over the line
  return rest < low && !stopped_;
}

}  // namespace joseki
