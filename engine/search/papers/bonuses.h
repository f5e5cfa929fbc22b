#pragma once

#include <array>
#include <cstddef>

#include "engine/search/papers/favours.h"
#include "engine/search/papers/papers.h"

namespace joseki {

// DEEP BLUE's extended book (M. Campbell, J. Hoane and F. Hsu): master practice gives a move a
// bonus inside the search, not a place in the order. Only nodes near the root look it up, so the
// cost is small beside their subtrees.
template <Game G>
class Search<G>::Papers::Bonuses {
 public:
  explicit Bonuses(Tree& tree) : tree_(tree) {}

  // Sets the book, which is not owned; null: none.
  void SetFavours(const Favours<G>* favours) { favours_ = favours; }
  const Favours<G>* favours() const { return favours_; }
  bool InUse() const { return favours_ != nullptr; }

  // Looks up the moves of the node at `ply`.
  void Ask(int ply);
  // SearchMove with the move's bonus in its value, and that of practice; any hooks. The window is
  // shifted instead of the values below, so the table holds the child's own value.
  template <bool kPv>
  Value SearchMove(const Node& node, const Candidate& candidate, Value alpha, Value beta,
                   Value bonus = 0);

 private:
  static constexpr int kPlies = 4;  // nodes nearer to the root than this ask
  static constexpr size_t kMost = 16;
  struct Favoured {
    std::array<Favour, kMost> moves;
    size_t count = 0;
  };

  Tree& tree_;
  const Favours<G>* favours_ = nullptr;
  Favoured favoured_[kPlies];
};

}  // namespace joseki
