#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/search_impl.h"

// Lessons that a node passes on and receives: killers, histories, corrections.
namespace joseki {

template <Game G>
MoveHints Search<G>::Impl::HintsFor(const Node& node) {
  const int ply = node.ply;
  const Frame& frame = FrameAt(ply);
  const Frame& parent = FrameAt(ply - 1);
  MoveHints hints;
  if (options_.order_killers != 0) {
    hints.killers[0] = frame.killers[0];
    hints.killers[1] = frame.killers[1];
  }
  if (parent.move && options_.order_counter != 0) {
    hints.counter = history_.Counter(parent.piece, parent.move);
  }
  hints.earlier[0] = parent.code;
  hints.earlier[1] = FrameAt(ply - 2).code;
  if (hooks_.order) papers_.killers.AddHints(ply, hints);
  if (options_.regret_moves != 0 && !node.in_check && frame.regret[0]) {
    Fire(Technique::kRegretMove);
    hints.threat = frame.regret[0];
    hints.AddLate(frame.regret[1]);
  }
  if (hooks_.order) papers_.order.AddHints(node, hints);
  return hints;
}

// Score of a quiet move by the histories: within the range of History<G>, twice that with
// continuations.
template <Game G>
int Search<G>::Impl::HistoryOf(int ply, Move move) const {
  const uint32_t code = History<G>::CodeOf(G::MovedPiece(pos_, move), move);
  int sum = history_.Quiet(code);
  for (int distance = 0; distance < 2; ++distance) {
    const uint32_t earlier = FrameAt(ply - 1 - distance).code;
    if ((options_.continuation_history >> distance & 1) != 0 && earlier != 0) {
      sum += history_.Continuation(distance, earlier, code) / 2;
    }
  }
  return sum;
}

// The evaluation with the corrections learned in positions that share parts with this one.
template <Game G>
Value Search<G>::Impl::Corrected(Value eval) const {
  using namespace search_internal;
  if (options_.corrections == 0) return eval;
  const Value value = eval + corrections_.Of(G::PartsOf(pos_), G::SideToMove(pos_));
  return std::clamp(value, -kValueHandGain + 1, kValueHandGain - 1);
}

// Learns only out of check and if no capture decides. A bound is used if it lies beyond the
// evaluation.
template <Game G>
void Search<G>::Impl::LearnCorrection(const Node& node, Move best, Value value, Bound bound) {
  using namespace search_internal;
  if (node.in_check || std::abs(value) >= kValueHandGain) return;
  if (best && MovePicker<G>::IsTactical(pos_, best)) return;
  if (!Has(bound, value > node.eval ? Bound::kLower : Bound::kUpper)) return;
  corrections_.Learn(G::PartsOf(pos_), G::SideToMove(pos_), value - node.eval, node.plies());
}

// Rewards `best`, which caused the cut; the others were tried before it.
template <Game G>
void Search<G>::Impl::Reward(const Node& node, Move best, std::span<const Move> quiets,
                             std::span<const Move> captures) {
  const int plies = node.plies();
  const int bonus = 16 * plies * plies + 32 * plies;
  auto teach_capture = [&](Move move, int by) {
    history_.UpdateCapture(G::MovedPiece(pos_, move), move, by);
  };
  if (options_.capture_history != 0) {
    for (const Move move : captures) teach_capture(move, -bonus);
  }
  if (MovePicker<G>::IsTactical(pos_, best)) {
    if (options_.capture_history != 0) teach_capture(best, bonus);
    return;
  }

  Frame& frame = FrameAt(node.ply);
  if (frame.killers[0] != best) {
    frame.killers[1] = frame.killers[0];
    frame.killers[0] = best;
  }
  const Frame& parent = FrameAt(node.ply - 1);
  if (parent.move) history_.SetCounter(parent.piece, parent.move, best);
  auto teach = [&](Move move, int by) {
    const uint32_t code = History<G>::CodeOf(G::MovedPiece(pos_, move), move);
    history_.Update(code, by);
    for (int distance = 0; distance < 2; ++distance) {
      const uint32_t earlier = FrameAt(node.ply - 1 - distance).code;
      if ((options_.continuation_history >> distance & 1) != 0 && earlier != 0) {
        history_.UpdateContinuation(distance, earlier, code, by);
      }
    }
  };
  teach(best, bonus);
  for (const Move move : quiets) teach(move, -bonus);
}

}  // namespace joseki
