#pragma once

#include <span>

#include "engine/search/corrections.h"
#include "engine/search/history.h"
#include "engine/search/move_hints.h"
#include "engine/search/tree.h"

namespace joseki {

// Lessons that nodes pass on and receive: killers, histories, corrections. Histories and
// corrections outlive a search.
template <Game G>
class Search<G>::Tree::Lessons {
 public:
  explicit Lessons(Tree& tree) : tree_(tree) {}

  void Forget();
  const History<G>& history() const { return history_; }

  // Moves that a node tries early.
  MoveHints HintsFor(const Node& node);
  // Score of a quiet move by the histories: within the range of History<G>, twice that with
  // continuations.
  int HistoryOf(int ply, Move move) const;
  // Rewards `best`, which caused the cut; the others were tried before it.
  void Reward(const Node& node, Move best, std::span<const Move> quiets,
              std::span<const Move> captures);

  // The evaluation with the corrections learned in positions that share parts with this one.
  Value Corrected(Value eval) const;
  // Learns from the node's value, out of check and if no capture decides. A bound is used if it
  // lies beyond the evaluation.
  void LearnCorrection(const Node& node, Move best, Value value, Bound bound);

 private:
  Tree& tree_;
  History<G> history_;
  Corrections corrections_;
};

}  // namespace joseki
