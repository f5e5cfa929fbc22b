#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/search/papers/context_killers.h"
#include "engine/search/papers/papers.h"

namespace joseki {

// J. Hashimoto's killers in a search: the kinds in use, their place in the move order, and how
// often they are right.
template <Game G>
class Search<G>::Papers::Killers {
 public:
  explicit Killers(Tree& tree) : tree_(tree) {}

  void SetOptions();
  void Forget() { table_.Clear(); }
  // Starts counting rates from zero, or stops it.
  void Count(bool counts);
  const KillerRates& rates() const { return *rates_; }  // REQUIRES: Count(true)
  bool InUse() const { return UsesAny() || rates_ != nullptr; }

  // Add the killers of a node, or of a leaf at distance `qply`, to its hints.
  void AddHints(int ply, MoveHints& hints);
  void AddQuiescenceHints(int ply, int qply, MoveHints& hints);
  // Notes a node's killers, before its moves are tried, if rates are counted.
  void BeforeMoves(const Node& node);
  // Learn from a finished node: its best move, and whether that one cut.
  void OnNodeDone(const Node& node, Move best, bool cut);
  void OnQuiescenceDone(int ply, Move best);
  // Whether a kind in use has the move at `ply`.
  bool Has(int ply, Move move) const;

 private:
  using Moves = std::array<Move, ContextKillers::kKindCount>;

  bool UsesAny() const;
  ContextKillers::Form form() const {
    return static_cast<ContextKillers::Form>(tree_.options_.killer_context);
  }
  uint32_t CodeOf(const Frame& frame) const;
  ContextKillers::Path PathTo(int ply) const;
  void AddAll(int ply, MoveHints& hints);
  void Teach(int ply, Move best);
  Moves Legal(int ply) const;
  void Rate(const Node& node, Move best, bool cut);

  Tree& tree_;
  ContextKillers table_;
  std::unique_ptr<KillerRates> rates_;  // null: nothing is counted
  Moves legal_[kMaxPly + 1];            // by ply; found before a node's moves, if they are counted
};

}  // namespace joseki
