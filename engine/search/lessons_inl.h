#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/lessons.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
void Search<G>::Tree::Lessons::Forget() {
  history_.Clear();
  corrections_.Clear();
}

template <Game G>
MoveHints Search<G>::Tree::Lessons::HintsFor(const Node& node) {
  const int ply = node.ply;
  const Frame& frame = tree_.stack_[ply];
  const Frame& parent = tree_.stack_[ply - 1];
  MoveHints hints;
  if (tree_.options_.order_killers != 0) {
    hints.killers[0] = frame.killers[0];
    hints.killers[1] = frame.killers[1];
  }
  if (parent.move && tree_.options_.order_counter != 0) {
    hints.counter = history_.Counter(parent.piece, parent.move);
  }
  hints.earlier[0] = parent.code;
  hints.earlier[1] = tree_.stack_[ply - 2].code;
  if (tree_.hooks_.order) tree_.papers_.killers.AddHints(ply, hints);
  if (tree_.options_.regret_moves != 0 && !node.in_check && frame.regret[0]) {
    tree_.Fire(Technique::kRegretMove);
    hints.threat = frame.regret[0];
    hints.AddLate(frame.regret[1]);
  }
  if (tree_.hooks_.order) tree_.papers_.order.AddHints(node, hints);
  return hints;
}

template <Game G>
inline int Search<G>::Tree::Lessons::HistoryOf(int ply, Move move) const {
  const uint32_t code = History<G>::CodeOf(G::MovedPiece(tree_.pos_, move), move);
  int sum = history_.Quiet(code);
  for (int distance = 0; distance < 2; ++distance) {
    const uint32_t earlier = tree_.stack_[ply - 1 - distance].code;
    if ((tree_.options_.continuation_history >> distance & 1) != 0 && earlier != 0) {
      sum += history_.Continuation(distance, earlier, code) / 2;
    }
  }
  return sum;
}

template <Game G>
inline Value Search<G>::Tree::Lessons::Corrected(Value eval) const {
  using namespace search_internal;
  if (tree_.options_.corrections == 0) return eval;
  const Value value = eval + corrections_.Of(G::PartsOf(tree_.pos_), G::SideToMove(tree_.pos_));
  return std::clamp(value, -kValueHandGain + 1, kValueHandGain - 1);
}

template <Game G>
void Search<G>::Tree::Lessons::LearnCorrection(const Node& node, Move best, Value value,
                                               Bound bound) {
  using namespace search_internal;
  if (node.in_check || std::abs(value) >= kValueHandGain) return;
  if (best && MovePicker<G>::IsTactical(tree_.pos_, best)) return;
  if (!Has(bound, value > node.eval ? Bound::kLower : Bound::kUpper)) return;
  corrections_.Learn(G::PartsOf(tree_.pos_), G::SideToMove(tree_.pos_), value - node.eval,
                     node.plies());
}

template <Game G>
void Search<G>::Tree::Lessons::Reward(const Node& node, Move best, std::span<const Move> quiets,
                                      std::span<const Move> captures) {
  const int plies = node.plies();
  const int bonus = 16 * plies * plies + 32 * plies;
  auto teach_capture = [&](Move move, int by) {
    history_.UpdateCapture(G::MovedPiece(tree_.pos_, move), move, by);
  };
  if (tree_.options_.capture_history != 0) {
    for (const Move move : captures) teach_capture(move, -bonus);
  }
  if (MovePicker<G>::IsTactical(tree_.pos_, best)) {
    if (tree_.options_.capture_history != 0) teach_capture(best, bonus);
    return;
  }

  Frame& frame = tree_.stack_[node.ply];
  if (frame.killers[0] != best) {
    frame.killers[1] = frame.killers[0];
    frame.killers[0] = best;
  }
  const Frame& parent = tree_.stack_[node.ply - 1];
  if (parent.move) history_.SetCounter(parent.piece, parent.move, best);
  auto teach = [&](Move move, int by) {
    const uint32_t code = History<G>::CodeOf(G::MovedPiece(tree_.pos_, move), move);
    history_.Update(code, by);
    for (int distance = 0; distance < 2; ++distance) {
      const uint32_t earlier = tree_.stack_[node.ply - 1 - distance].code;
      if ((tree_.options_.continuation_history >> distance & 1) != 0 && earlier != 0) {
        history_.UpdateContinuation(distance, earlier, code, by);
      }
    }
  };
  teach(best, bonus);
  for (const Move move : quiets) teach(move, -bonus);
}

}  // namespace joseki
