#pragma once

#include <algorithm>

#include "engine/search/papers/mates_inl.h"
#include "engine/search/papers/pass_inl.h"
#include "engine/search/search_impl.h"

// Cuts of nodes and moves: razoring, ProbCut, history pruning, and the papers' own forms of what
// the search does by default.
namespace joseki {
namespace search_internal {

inline constexpr int kRazoringDepth = 3;
inline constexpr int kProbCutDepth = 5;
inline constexpr int kHistoryDepth = 4;
// Distance of evaluation and material, at most (Ye's largest positional score). Ours.
inline constexpr Value kMaxPositional = 600;

}  // namespace search_internal

// Counts a placement that comes back with other hands as won or lost.
template <Game G>
bool Search<G>::Papers::EndsHere(int ply, Value& value) {
  if (options().hand_repetition == 0) return false;
  const HandRepetition hands = G::CheckHands(search_.pos_);
  if (hands.outcome == Repetition::kNone) return false;
  search_.Fire(Technique::kHandRepetition);
  const Value gain = search_internal::kValueHandGain - ply;
  value = hands.outcome == Repetition::kWin ? gain : -gain;
  search_.FrameAt(ply).depends = std::max(ply - hands.plies_back, -1);
  return true;
}

// Cuts before the null move: a mate by checks near the horizon and, out of check, razoring.
// Captures alone help a side that stands far below alpha, if anything does.
template <Game G>
bool Search<G>::Papers::CutsFirst(const Node& node, Value alpha, Value& value) {
  using namespace search_internal;
  if (search_.FrameAt(node.ply).excluded) return false;
  if (options().mate_nodes > 0 && FindsMate(node, value)) return true;
  const int plies = node.plies();
  if (node.in_check || node.pv || search_.stopped_ || options().razoring == 0 ||
      plies > kRazoringDepth || node.eval + options().razoring * plies > alpha) {
    return false;
  }
  value = search_.Quiesce(node.ply, 0, alpha, alpha + 1);
  if (search_.stopped_ || value > alpha) return false;
  search_.Fire(Technique::kRazoring);
  return true;
}

// Cuts after the null move: ProbCut, and a mate in one where the table knows nothing.
template <Game G>
bool Search<G>::Papers::CutsLast(const Node& node, Value beta, Value& value) {
  using namespace search_internal;
  if (node.in_check || search_.FrameAt(node.ply).excluded) return false;
  if (!node.pv && options().probcut > 0 && node.plies() >= kProbCutDepth &&
      TryProbCut(node, beta, value)) {
    return true;
  }
  return options().mate_in_one == 2 && !search_.stopped_ && !node.hit && node.ply > 0 &&
         MatesInOne(node.ply, value);
}

// Whether a capture holds far above beta in a shallow search: it will hold above beta in this one.
template <Game G>
bool Search<G>::Papers::TryProbCut(const Node& node, Value beta, Value& value) {
  const Value high = beta + options().probcut;
  if (IsMate(high)) return false;
  Position& pos = search_.pos_;
  MovePicker<G> picker(pos, search_.history_, options(), MovePicker<G>::Scope::kCaptures,
                       node.known.move, MoveHints());
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (!G::SeeAtLeast(pos, move, high - node.eval)) continue;
    if (!search_.CountNode()) return false;
    Undo undo;
    search_.Play(node.ply, move, undo);
    value = -search_.Quiesce(node.ply + 1, 0, -high, -high + 1);
    if (value >= high && !search_.stopped_) {
      search_.FrameAt(node.ply + 1).cut = !search_.FrameAt(node.ply).cut;
      value = -search_.template SearchNode<false>(node.ply + 1, node.depth - 4 * kPly, -high,
                                                  -high + 1);
    }
    G::TakeBack(pos, move, undo);
    if (search_.stopped_) return false;
    if (value < high) continue;
    search_.Fire(Technique::kProbCut);
    search_.FrameAt(node.ply).depends = search_.FrameAt(node.ply + 1).depends;
    return true;
  }
  return false;
}

// Whether a move is left before the search's own futility is asked: by its history, or by the forms
// of futility that papers have. `best` follows where the move has a bound.
// REQUIRES: as Impl::IsTooLate.
template <Game G>
bool Search<G>::Papers::SkipsFirst(const Node& node, const Candidate& candidate, Value alpha,
                                   Value& best) {
  using namespace search_internal;
  const Position& pos = search_.pos_;
  const int plies = node.plies();
  const Move move = candidate.move;
  if (options().history_pruning > 0 && candidate.quiet && plies <= kHistoryDepth &&
      candidate.history < -options().history_pruning * plies && !G::GivesCheck(pos, move)) {
    search_.Fire(Technique::kHistoryPruning);
    return true;
  }
  if (options().futility < 2 || plies != 1) return false;
  // Form 2 is Bonanza's E(P) + Vdiff(m), with what is won, the king-piece term and Vmax.
  const Value reach =
      options().futility == 2
          ? node.eval + G::GainOf(pos, move) + G::SwingAtMost(pos, move)
          : G::Material(pos) + G::GainOf(pos, move) + search_internal::kMaxPositional;
  if (reach > alpha || G::GivesCheck(pos, move)) return false;
  search_.Fire(Technique::kFutility);
  best = std::max(best, reach);
  return true;
}

// Whether a move is left after all else: as a sacrifice deep in the tree, or by its group where YSS
// does not generate that.
template <Game G>
bool Search<G>::Papers::SkipsLast(const Node& node, const Candidate& candidate) {
  const Position& pos = search_.pos_;
  Technique technique = Technique::kCount;
  if (options().no_deep_sacrifice != 0 && node.ply >= 2 && !G::SeeAtLeast(pos, candidate.move, 0)) {
    technique = Technique::kDeepSacrifice;
  } else if (options().order_groups == 2 &&
             !G::OrderGroupBelongs(pos, candidate.group, node.ply + 1, node.plies())) {
    technique = Technique::kGroupSkipped;
  }
  if (technique == Technique::kCount || G::GivesCheck(pos, candidate.move)) return false;
  search_.Fire(technique);
  return true;
}

}  // namespace joseki
