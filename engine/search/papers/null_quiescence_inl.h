#pragma once

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>
#include <utility>

#include "engine/search/papers/cuts.h"
#include "engine/search/papers/null_quiescence.h"
#include "engine/search/papers/null_quiescence_schedule.h"
#include "engine/search/tree.h"

namespace joseki {
namespace search_internal {

// Marks these nodes' entries, which are separate from the main search's: their bounds rest on
// passes.
inline constexpr uint64_t kNullQuiescenceKey = 0x5A17C9E36D2B84F1u;

}  // namespace search_internal

template <Game G>
bool Search<G>::Papers::NullQuiescence::InUse() const {
  return tree_.options_.null_quiescence > 0;
}

template <Game G>
int Search<G>::Papers::NullQuiescence::BeginIteration(int iteration) {
  const SearchOptions& o = tree_.options_;
  const auto [plies, null_plies] = PhaseOf(o.null_quiescence_schedule, iteration, o.null_quiescence,
                                           o.null_quiescence_full_width);
  plies_ = null_plies;
  phase_before_ = std::exchange(
      phase_, search_internal::kPhaseKey * static_cast<uint64_t>(o.null_quiescence - null_plies));
  return plies;
}

template <Game G>
void Search<G>::Papers::NullQuiescence::RecallMove(Node& node) {
  if (phase_before_ == phase_) return;
  const Key& key = tree_.stack_[node.ply].key;
  TtData before;
  if (tree_.Probe(node.ply, {key.hi ^ phase_before_, key.lo}, before)) {
    node.known.move = before.move;
  }
}

template <Game G>
Value Search<G>::Papers::NullQuiescence::SearchLeaf(int ply, Value alpha, Value beta) {
  if (tree_.options_.null_quiescence_material != 0) {
    tree_.Fire(Technique::kNullQuiescenceMaterial);
    const Value besides = tree_.evaluator_.Evaluate(tree_.pos_) - G::Material(tree_.pos_);
    position_value_ = G::SideToMove(tree_.pos_) == Color::kFirst ? besides : -besides;
    by_material_ = true;
  }
  int plies = tree_.options_.null_quiescence_deepening != 0 ? 1 : plies_;
  Value value = SearchNode(ply, plies * kPly, alpha, beta);
  for (++plies; plies <= plies_ && !tree_.budget_.over(); ++plies) {
    tree_.Fire(Technique::kNullQuiescenceDeepening);
    value = SearchNode(ply, plies * kPly, alpha, beta);
  }
  by_material_ = false;
  return value;
}

template <Game G>
Value Search<G>::Papers::NullQuiescence::EvaluateByMaterial() const {
  const bool first = G::SideToMove(tree_.pos_) == Color::kFirst;
  return G::Material(tree_.pos_) + (first ? position_value_ : -position_value_);
}

template <Game G>
Value Search<G>::Papers::NullQuiescence::SearchNode(int ply, int depth, Value alpha, Value beta) {
  using namespace search_internal;
  if (depth < kPly) return tree_.Quiesce(ply, 0, alpha, beta);
  Frame& frame = tree_.stack_.Enter(ply, G::KeyOf(tree_.pos_));
  if (Value value; tree_.EndsHere(ply, value)) return value;
  tree_.Fire(Technique::kNullQuiescenceNode);

  // 1. The table: entries of the main search serve here, never the other way round.
  const bool testing = static_cast<bool>(frame.excluded);
  const bool in_pv = alpha + 1 < beta;
  Node node{.ply = ply, .depth = depth, .pv = in_pv};
  const Key key{frame.key.hi ^ kNullQuiescenceKey, frame.key.lo};
  TtData known;
  TtData own;
  if (tree_.Probe(ply, MainKey(frame.key), known) && known.depth == 0) known = {};  // captures only
  const bool hit = tree_.Probe(ply, key, own) && own.depth >= node.plies();
  if (!in_pv && !testing) {
    for (const TtData* data : {&known, &own}) {
      if (data->bound == Bound::kNone || (data == &own && !hit)) continue;
      const Value value = FromTable(data->value, ply);
      if (Has(data->bound, value >= beta ? Bound::kLower : Bound::kUpper)) return value;
    }
  }
  node.known.move = known.move ? known.move : own.move;

  // 2. The value of a pass, by captures alone. With NullQuiescenceMoveFirst the table's move comes
  // before it, as in C. Ye's thesis.
  node.in_check = G::InCheck(tree_.pos_);
  const Value old_alpha = alpha;
  if (!node.in_check) {
    if (by_material_) {
      node.eval = EvaluateByMaterial();
    } else {
      node.raw_eval = tree_.evaluator_.Evaluate(tree_.pos_);
      node.eval = tree_.lessons_.Corrected(node.raw_eval);
    }
  }
  frame.eval = node.eval;
  Value best = -kValueInfinite;
  Move best_move;
  bool may_pass = !node.in_check && ply > 0;
  const bool move_first =
      tree_.options_.null_quiescence_move_first != 0 && node.known.move && !testing;
  // Whether the pass cuts.
  const auto pass = [&] {
    may_pass = false;
    const Value value = Pass(ply, alpha, beta);
    if (tree_.budget_.over() || value <= best) return false;
    best = value;
    frame.depends = tree_.stack_[ply + 1].depends;
    if (value <= alpha) return false;
    best_move = Move();
    tree_.stack_.ClearLine(ply);
    alpha = value;
    if (value >= beta) tree_.Fire(Technique::kNullQuiescenceCut);
    return value >= beta;
  };
  if (may_pass && !move_first && pass()) return best;
  if (tree_.budget_.over()) return kValueZero;

  // 3. All moves.
  const bool extends = tree_.options_.null_quiescence_extensions != 0 &&
                       ply < tree_.options_.extension_cap * (tree_.root_.depth + plies_);
  if (extends) tree_.papers_.extensions.Prepare(node);
  tree_.stack_[ply + 1].killers[0] = tree_.stack_[ply + 1].killers[1] = Move();
  const MoveHints hints = tree_.lessons_.HintsFor(node);
  MovePicker<G> picker(tree_.pos_, tree_.lessons_.history(), tree_.options_,
                       MovePicker<G>::Scope::kSearch, node.known.move, hints);
  Move quiets[32];
  size_t quiet_count = 0;
  bool any = false;
  int index = 0;
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (move == frame.excluded) continue;
    any = true;
    if (may_pass && move != node.known.move) {
      if (pass()) return best;
      if (tree_.budget_.over()) return kValueZero;
    }
    Candidate candidate{.move = move, .index = index++, .quiet = false};
    candidate.quiet = !MovePicker<G>::IsTactical(tree_.pos_, move);
    if (Skips(node, move, alpha, best)) continue;
    if (extends) candidate.extension = tree_.papers_.extensions.KnownExtension(node, candidate);
    Value value = SearchMove(node, candidate, alpha, beta);
    if (tree_.budget_.over()) return kValueZero;
    if (extends && tree_.options_.null_quiescence_extensions == 2 && value > alpha && !testing &&
        candidate.extension < kPly && StandsAlone(node, move, value, beta)) {
      tree_.Fire(Technique::kNullQuiescenceSingular);
      candidate.extension = kPly;
      value = SearchMove(node, candidate, alpha, beta);
    }
    if (tree_.budget_.over()) return kValueZero;
    if (value > best) {
      best = value;
      frame.depends = tree_.stack_[ply + 1].depends;
      if (value > alpha) {
        best_move = move;
        if (in_pv) tree_.stack_.RecordLine(ply, move);
        if (value >= beta) break;
        alpha = value;
      }
    }
    if (candidate.quiet && quiet_count < std::size(quiets)) quiets[quiet_count++] = move;
  }
  if (may_pass && best < beta && pass()) return best;
  if (tree_.budget_.over()) return kValueZero;
  if (!any && best == -kValueInfinite) return testing ? old_alpha : MatedIn(ply);
  if (testing) return best;

  // 4. As in the main search.
  if (best >= beta && best_move)
    tree_.lessons_.Reward(node, best_move, std::span(quiets, quiet_count), {});
  if (frame.depends >= ply) {
    frame.depends = kIndependent;
    const Bound bound = best >= beta                ? Bound::kLower
                        : in_pv && best > old_alpha ? Bound::kExact
                                                    : Bound::kUpper;
    tree_.tt_.Store(key, {.move = best_move,
                          .value = ToTable(best, ply),
                          .eval = node.raw_eval,
                          .depth = node.plies(),
                          .bound = bound});
  }
  return best;
}

// The value of a pass by captures alone; less than every value if it gives no bound. A side that
// would be mated after a pass has to move, and a mate that rests on a pass is none.
template <Game G>
Value Search<G>::Papers::NullQuiescence::Pass(int ply, Value alpha, Value beta) {
  Undo undo;
  tree_.Pass(ply, undo);
  const Value value = -tree_.Quiesce(ply + 1, 0, -beta, -alpha);
  G::TakeBackNull(tree_.pos_, undo);
  if (value <= -kValueMateInMaxPly) return -kValueInfinite;
  return IsMate(value) ? tree_.stack_[ply].eval : value;
}

// Plays the candidate and returns its value for the side that plays it.
template <Game G>
Value Search<G>::Papers::NullQuiescence::SearchMove(const Node& node, const Candidate& candidate,
                                                    Value alpha, Value beta) {
  if (!tree_.CountNode()) return kValueZero;
  Undo undo;
  tree_.Play(node.ply, candidate.move, undo);
  const bool gives_check = G::InCheck(tree_.pos_);
  int extension = candidate.extension;
  if (tree_.options_.null_quiescence_extensions != 0) {
    extension = tree_.papers_.extensions.ExtendAfter(node, candidate,
                                                     tree_.CheckExtension(node, gives_check));
    if (extension > 0) tree_.Fire(Technique::kNullQuiescenceExtension);
  }
  if (tree_.options_.null_quiescence_checks != 0 && gives_check &&
      node.ply < tree_.options_.extension_cap * (tree_.root_.depth + plies_)) {
    extension = kPly;
  }
  const int depth = node.depth - kPly + std::min(extension, kPly);
  const Value value = -SearchNode(node.ply + 1, depth, -beta, -alpha);
  G::TakeBack(tree_.pos_, candidate.move, undo);
  return value;
}

// C. Ye's futility: skips a move that cannot reach alpha even with the largest positional score.
// `best` rises to that bound. Checks and answers to them are searched.
template <Game G>
bool Search<G>::Papers::NullQuiescence::Skips(const Node& node, Move move, Value alpha,
                                              Value& best) {
  const int form = tree_.options_.null_quiescence_futility;
  if (form == 0 || node.in_check || (form == 1 && node.plies() > 1)) return false;
  const Value reach =
      G::Material(tree_.pos_) + G::GainOf(tree_.pos_, move) + search_internal::kMaxPositional;
  if (reach > alpha || G::GivesCheck(tree_.pos_, move)) return false;
  tree_.Fire(Technique::kNullQuiescenceFutility);
  best = std::max(best, reach);
  return true;
}

// Whether all other moves, searched a ply less deep, stay as far below as SingularClassic requires.
template <Game G>
bool Search<G>::Papers::NullQuiescence::StandsAlone(const Node& node, Move move, Value value,
                                                    Value beta) {
  using namespace search_internal;
  if (node.plies() < 2 || node.in_check || std::abs(value) >= kValueHandGain) return false;
  const Value low = value >= beta ? beta - tree_.options_.singular_margin_cut
                                  : value - tree_.options_.singular_margin_pv;
  Frame& frame = tree_.stack_[node.ply];
  const int depends = frame.depends;
  const int below_depends = tree_.stack_[node.ply + 1].depends;
  frame.excluded = move;
  const Value rest = SearchNode(node.ply, node.depth - kPly, low - 1, low);
  frame.excluded = Move();
  frame.depends = depends;
  tree_.stack_[node.ply + 1].depends = below_depends;
  tree_.stack_.ClearLine(node.ply + 1);  // the test has walked over the line
  return rest < low && !tree_.budget_.over();
}

}  // namespace joseki
