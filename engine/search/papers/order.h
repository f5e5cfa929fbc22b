#pragma once

#include <memory>
#include <span>

#include "engine/search/papers/alike.h"
#include "engine/search/papers/butterflies.h"
#include "engine/search/papers/papers.h"

namespace joseki {

// Orders of moves: internal deepening, YSS's groups, butterfly boards, a partial-position book
// (TACOS). Also collects the hints of the other techniques.
template <Game G>
class Search<G>::Papers::Order {
 public:
  explicit Order(Tree& tree) : tree_(tree) {}

  void SetOptions();
  void Forget();
  // Sets the book, which is not owned; null: none.
  void SetAlike(const AlikeMoves<G>* alike) { alike_ = alike; }
  const AlikeMoves<G>* alike() const { return alike_; }
  bool InUse() const;

  // Orders the root's moves before the first iteration, by groups if that order is set. Moves
  // played in similar positions come before other quiet moves.
  void OrderRoot();

  // Finds the first move to try by shallower searches (internal deepening).
  template <bool kPv>
  void FindTableMove(Node& node, Value alpha, Value beta);
  // Adds all hints but killers, after the search's own regret moves.
  void AddHints(const Node& node, MoveHints& hints);
  // Learns from a finished node: its best move, whether that one cut, and the quiet moves that did
  // not.
  void OnNodeDone(const Node& node, Move best, bool cut, std::span<const Move> quiets);

 private:
  std::span<const Move> AlikeHere(std::span<Move, MoveHints::kMaxLate> room);
  void OrderRootByGroups();

  Tree& tree_;
  std::unique_ptr<Butterflies> butterflies_;  // of OrderButterflies; null without it
  const AlikeMoves<G>* alike_ = nullptr;
};

}  // namespace joseki
