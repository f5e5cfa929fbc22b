#pragma once

#include <algorithm>
#include <iterator>

#include "engine/search/search_impl.h"

// What is cut without a full search: nodes by their evaluation, by a pass or by
// a shallow search, and moves that cannot matter.
namespace joseki {
namespace search_internal {

inline constexpr int kNullDepth = 3;
inline constexpr int kReverseFutilityDepth = 6;
inline constexpr int kRazoringDepth = 3;
inline constexpr int kProbCutDepth = 5;
inline constexpr int kFutilityDepth = 6;
inline constexpr int kLateMoveDepth = 8;
inline constexpr int kSeeDepth = 6;
inline constexpr int kHistoryDepth = 4;

inline constexpr Value kFutilityBase = 100;  // by evaluation and depth
inline constexpr Value kFutilityPly = 90;
// How far evaluation and material may lie apart (Ye's largest positional score). Ours.
inline constexpr Value kMaxPositional = 600;

}  // namespace search_internal

// REQUIRES: out of check. The value to return is a bound outside the window.
template <Game G>
bool Search<G>::Impl::CutsBeforeMoves(Node& node, Value alpha, Value beta, Value& value) {
  using namespace search_internal;
  if (node.pv && options_.null_move < 2 && options_.regret_moves < 2) return false;
  const int plies = node.plies();

  // A side that stands far above beta near the leaves stays there.
  if (!node.pv && options_.reverse_futility > 0 && plies <= kReverseFutilityDepth &&
      !IsMate(beta)) {
    const int steps = plies - (node.improving ? 1 : 0);
    if (node.eval - options_.reverse_futility * steps >= beta && node.eval < kValueHandGain) {
      Fire(Technique::kReverseFutility);
      value = node.eval;
      return true;
    }
  }

  // One that stands far below alpha is helped by captures only, or not at all.
  if (!node.pv && options_.razoring > 0 && plies <= kRazoringDepth &&
      node.eval + options_.razoring * plies <= alpha) {
    value = Quiesce(node.ply, 0, alpha, alpha + 1);
    if (stopped_) return false;
    if (value <= alpha) {
      Fire(Technique::kRazoring);
      return true;
    }
  }

  if (TryNullMove(node, alpha, beta, value)) return true;
  return !stopped_ && !node.pv && options_.probcut > 0 && plies >= kProbCutDepth &&
         TryProbCut(node, beta, value);
}

// Null move: a side that stands well even after passing will hardly fall below
// beta.
template <Game G>
bool Search<G>::Impl::TryNullMove(Node& node, Value alpha, Value beta, Value& value) {
  using namespace search_internal;
  Frame& frame = FrameAt(node.ply);
  const int plies = node.plies();
  // YSS passes at every inner node to see the threat.
  const bool looks = options_.regret_moves == 2 && plies >= kNullDepth;
  if (options_.null_move == 0 && !looks) return false;
  // Two passes in a row would only search this position again.
  if (node.ply == 0 || !FrameAt(node.ply - 1).move) return false;
  if (!G::MayPass(pos_)) return false;
  if (options_.null_recursion > 0 && frame.passes >= options_.null_recursion) return false;
  // A mate that rests on a pass is none: where only a mate would cut, nothing does.
  const bool by_eval = options_.null_move == 1 && !node.pv && plies >= kNullDepth &&
                       node.eval >= beta && !IsMate(beta);
  // C. Ye's: one ply less than a move has, everywhere but (2) at the frontier. What it is worth
  // below beta is what the moves must beat (figure 3.3 of his thesis).
  const bool full = options_.null_move >= 2 && (options_.null_move == 3 || plies > 1);
  if (!by_eval && !full && !looks) return false;
  const bool cuts = by_eval || (full && beta < kValueMateInMaxPly);
  int depth = node.depth - 2 * kPly;
  Value low = alpha;
  if (by_eval) {
    depth = node.depth -
            (options_.null_move_base + plies / 5 + std::min((node.eval - beta) / 300, 2)) * kPly;
    low = beta - 1;
  }
  Undo undo;
  Pass(node.ply, undo);
  FrameAt(node.ply + 1).cut = !frame.cut;
  value = low + 1 == beta ? -SearchNode<false>(node.ply + 1, depth, -beta, -low)
                          : -SearchNode<true>(node.ply + 1, depth, -beta, -low);
  if (options_.regret_moves != 0 && !stopped_ && value < beta) FindRegrets(node.ply);
  G::TakeBackNull(pos_, undo);
  if (stopped_) return false;
  if (value < beta || !cuts) {
    // Who would be mated after a pass has to move.
    if (full && !IsMate(value)) {
      node.passed = value;
      node.passed_depends = FrameAt(node.ply + 1).depends;
    }
    return false;
  }
  Fire(Technique::kNullCut);
  frame.depends = FrameAt(node.ply + 1).depends;
  if (IsMate(value)) value = beta;  // a mate that rests on a pass is no mate
  return true;
}

// YSS's regret moves: the line after the pass that has just been searched, as far as the tables
// have kept it: the best reply and our answer to it, by RegretMoves 2 also what would follow. The
// position is the one after the pass.
template <Game G>
void Search<G>::Impl::FindRegrets(int ply) {
  Frame& frame = FrameAt(ply);
  std::fill(std::begin(frame.regret), std::end(frame.regret), Move());
  const Move reply = KnownMove(ply + 1, G::KeyOf(pos_));
  if (!reply || !G::IsLegal(pos_, reply)) return;
  frame.regret[0] = reply;
  frame.regret[1] = KnownMove(ply + 2, G::KeyAfter(pos_, reply));
  if (options_.regret_moves < 2 || !frame.regret[1]) return;
  Undo undo;
  G::Do(pos_, reply, undo);
  if (const Move answer = frame.regret[1]; G::IsLegal(pos_, answer)) {
    Undo answer_undo;
    G::Do(pos_, answer, answer_undo);
    frame.regret[2] = KnownMove(ply + 3, G::KeyOf(pos_));
    if (frame.regret[2] && G::IsLegal(pos_, frame.regret[2])) {
      frame.regret[3] = KnownMove(ply + 4, G::KeyAfter(pos_, frame.regret[2]));
    }
    G::TakeBack(pos_, answer, answer_undo);
  }
  G::TakeBack(pos_, reply, undo);
}

// A capture that holds far above beta in a shallow search will hold above beta
// in this one.
template <Game G>
bool Search<G>::Impl::TryProbCut(const Node& node, Value beta, Value& value) {
  const Value high = beta + options_.probcut;
  if (IsMate(high)) return false;
  MovePicker<G> picker(pos_, history_, options_, MovePicker<G>::Scope::kCaptures, node.known.move,
                       MoveHints());
  for (Move move = picker.Next(); move; move = picker.Next()) {
    if (!G::SeeAtLeast(pos_, move, high - node.eval)) continue;
    if (!CountNode()) return false;
    Undo undo;
    Play(node.ply, move, undo);
    value = -Quiesce(node.ply + 1, 0, -high, -high + 1);
    if (value >= high && !stopped_) {
      FrameAt(node.ply + 1).cut = !FrameAt(node.ply).cut;
      value = -SearchNode<false>(node.ply + 1, node.depth - 4 * kPly, -high, -high + 1);
    }
    G::TakeBack(pos_, move, undo);
    if (stopped_) return false;
    if (value < high) continue;
    Fire(Technique::kProbCut);
    FrameAt(node.ply).depends = FrameAt(node.ply + 1).depends;
    return true;
  }
  return false;
}

// Whether a quiet candidate comes behind so many moves that it need not be searched.
// REQUIRES: out of check, and a move of the node was searched that does not lose at once.
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

// Whether the candidate need not be searched. `best` follows where the move has
// a bound. REQUIRES: as IsTooLate.
template <Game G>
bool Search<G>::Impl::Skips(const Node& node, const Candidate& candidate, Value alpha,
                            Value& best) {
  using namespace search_internal;
  const int plies = node.plies();
  const Move move = candidate.move;

  auto skip = [&](Technique technique) {
    if (G::GivesCheck(pos_, move)) return false;
    Fire(technique);
    return true;
  };

  if (options_.history_pruning > 0 && candidate.quiet && plies <= kHistoryDepth &&
      candidate.history < -options_.history_pruning * plies && skip(Technique::kHistoryPruning)) {
    return true;
  }
  Value reach = kValueInfinite;
  switch (options_.futility) {
    case 1:
      if (candidate.quiet && plies <= kFutilityDepth) {
        reach = node.eval + kFutilityBase + kFutilityPly * plies + candidate.history / 64;
      }
      break;
    case 2:
      // Bonanza: E(P) + Vdiff(m), with what is won, the king-piece term and Vmax.
      if (plies == 1) reach = node.eval + G::GainOf(pos_, move) + G::SwingAtMost(pos_, move);
      break;
    case 3:
      if (plies == 1) reach = G::Material(pos_) + G::GainOf(pos_, move) + kMaxPositional;
      break;
    default:
      break;
  }
  if (reach <= alpha && skip(Technique::kFutility)) {
    best = std::max(best, reach);
    return true;
  }
  // What loses too much for the depth that is left. Checks have a margin of their own: drops give
  // many, and most only throw material away.
  if (plies <= kSeeDepth) {
    const bool gives_check = G::GivesCheck(pos_, move);
    const int margin = gives_check ? options_.check_pruning : options_.see_pruning;
    if (margin > 0 && !G::SeeAtLeast(pos_, move, -margin * plies)) {
      Fire(gives_check ? Technique::kCheckPruning : Technique::kSeePruning);
      return true;
    }
  }
  return skips_more_ && SkipsMore(node, candidate);
}

// By options that are seldom on.
template <Game G>
bool Search<G>::Impl::SkipsMore(const Node& node, const Candidate& candidate) {
  using namespace search_internal;
  const int plies = node.plies();
  const Move move = candidate.move;
  Technique technique = Technique::kCount;
  if (options_.no_deep_sacrifice != 0 && node.ply >= 2 && !G::SeeAtLeast(pos_, move, 0)) {
    technique = Technique::kDeepSacrifice;
  } else if (options_.order_groups == 2 &&
             !G::OrderGroupBelongs(pos_, candidate.group, node.ply + 1, plies)) {
    technique = Technique::kGroupSkipped;
  }
  if (technique == Technique::kCount || G::GivesCheck(pos_, move)) return false;
  Fire(technique);
  return true;
}

}  // namespace joseki
