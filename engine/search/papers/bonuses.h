#pragma once

#include <array>
#include <cstddef>

#include "engine/search/papers/favours.h"
#include "engine/search/papers/papers.h"

namespace joseki {

// DEEP BLUE's extended book (M. Campbell, J. Hoane and F. Hsu): what master practice says of a move
// is a bonus inside the search, no order. Nodes near the root ask for it, so that asking costs
// little beside what lies below such a node.
template <Game G>
class Search<G>::Papers::Bonuses {
 public:
  explicit Bonuses(Tree& tree) : tree_(tree) {}

  // Null: no book. Not ours.
  void SetFavours(const Favours<G>* favours) { favours_ = favours; }
  const Favours<G>* favours() const { return favours_; }
  bool InUse() const { return favours_ != nullptr; }

  // Asks for the moves of the node at `ply`.
  void Ask(int ply);
  // SearchMove with the move's bonus in its value, and that of practice; any hooks. The window is
  // moved instead of the values below, so that what the table holds of the child is its own.
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
