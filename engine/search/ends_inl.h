#pragma once

#include <algorithm>

#include "engine/search/search_impl.h"

// Ends of lines: by the rules, by the size of the tree, by a proven mate.
namespace joseki {

// Whether the rules, or the size of the tree, end the line at this node;
// `value` then is what it is worth.
template <Game G>
bool Search<G>::Impl::EndsHere(int ply, Value& value) {
  if (const Repetition r = G::CheckRepetition(evaluator_, pos_, ply); r != Repetition::kNone) {
    value = RepetitionValue(ply, r);
    return true;
  }
  if (options_.hand_repetition != 0) {
    if (const HandRepetition hands = G::CheckHands(pos_); hands.outcome != Repetition::kNone) {
      Fire(Technique::kHandRepetition);
      const Value gain = search_internal::kValueHandGain - ply;
      value = hands.outcome == Repetition::kWin ? gain : -gain;
      FrameAt(ply).depends = std::max(ply - hands.plies_back, -1);
      return true;
    }
  }
  if (limits_.declaration && G::CanDeclareWin(pos_)) {
    value = MateIn(ply + 1);
    return true;
  }
  if (ply >= kMaxPly - 1) {
    value = evaluator_.Evaluate(pos_);
    return true;
  }
  return false;
}

// Sets how far back the value reaches: to the same position on the path, or to
// before the root.
template <Game G>
Value Search<G>::Impl::RepetitionValue(int ply, Repetition repetition) {
  Frame& frame = FrameAt(ply);
  frame.depends = -1;
  for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
    if (FrameAt(earlier).key == frame.key) {
      frame.depends = earlier;
      break;
    }
  }
  switch (repetition) {
    case Repetition::kWin:
      return search_internal::kValueRepetitionWin - ply;
    case Repetition::kLoss:
      return -search_internal::kValueRepetitionWin + ply;
    default:
      return kValueZero;
  }
}

// Whether the side to move, which is not in check, mates at once; its value then, which is kept.
template <Game G>
bool Search<G>::Impl::MatesInOne(int ply, Value& value) {
  const Move move = G::MateInOne(pos_);
  if (!move) return false;
  Fire(Technique::kMateInOne);
  value = MateIn(ply + 1);
  pv_[ply][ply] = move;
  pv_length_[ply] = ply + 1;
  // As deep as can be: there is no more to find.
  tt_.Store(
      FrameAt(ply).key,
      {.move = move, .value = ToTable(value, ply), .depth = kMaxPly - 1, .bound = Bound::kExact});
  return true;
}

// The mate search from the present position, in at most so many nodes, which are the search's own.
template <Game G>
MateProbe Search<G>::Impl::SearchMate(uint64_t most, bool by_proof_numbers) {
  if (limits_.nodes != 0) most = std::min(most, limits_.nodes - nodes_);
  if (most == 0) return {};
  const MateProbe probe = by_proof_numbers ? mates_->Prove(pos_, most, &stop_requested_)
                                           : mates_->Find(pos_, most, &stop_requested_);
  nodes_ += probe.nodes;
  Poll();
  // The count may have passed the place where Poll looks at the clock.
  if (limits_.hard_ms > 0 && ElapsedMs() >= limits_.hard_ms) stopped_ = true;
  return probe;
}

// Whether the mate search proves a mate here; its value then, which is kept. A visit to a position
// whose verdict is known costs nothing.
template <Game G>
bool Search<G>::Impl::FindsMate(const Node& node, Value& value) {
  const int ply = node.ply;
  const auto nodes = static_cast<uint64_t>(options_.mate_nodes);
  Fire(Technique::kMateSearch);
  MateProbe probe;
  if (verdicts_->Find(FrameAt(ply).key, nodes, probe)) {
    Fire(Technique::kMateVerdict);
  } else {
    const uint64_t most = limits_.nodes == 0
                              ? nodes
                              : std::min(nodes, limits_.nodes - std::min(limits_.nodes, nodes_));
    probe = SearchMate(most, /*by_proof_numbers=*/false);
    if (!stopped_ || probe.move) verdicts_->Keep(FrameAt(ply).key, most, probe);
  }
  if (!probe.move || ply + probe.plies >= kMaxPly) return false;
  Fire(Technique::kMateFound);
  value = MateIn(ply + probe.plies);
  pv_[ply][ply] = probe.move;
  pv_length_[ply] = ply + 1;
  tt_.Store(FrameAt(ply).key, {.move = probe.move,
                               .value = ToTable(value, ply),
                               .eval = node.raw_eval,
                               .depth = node.plies(),
                               .bound = Bound::kLower});
  return true;
}

}  // namespace joseki
