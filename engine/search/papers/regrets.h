#pragma once

#include <array>
#include <cstddef>

#include "engine/search/papers/papers.h"

namespace joseki {

// YSS's regret moves beyond the search's own (RegretMoves 2 and 3): the whole line after a pass
// orders the moves, and the root passes too.
template <Game G>
class Search<G>::Papers::Regrets {
 public:
  explicit Regrets(Tree& tree) : tree_(tree) {}

  void Begin() { passed_depth_ = 0; }
  bool InUse() const;

  // Finds the line after the pass at `ply`, as far as the table has it. REQUIRES: the position is
  // that after the pass, and the reply that the search found is legal.
  void FindLine(int ply);
  // Adds the line's moves to the hints of the node that has passed.
  void AddHints(int ply, MoveHints& hints);
  // Lets the root pass before an iteration of `depth` plies, and orders its moves by the line after
  // the pass. Our moves in that line follow the best move; then come moves that defend against one
  // of the other side's.
  void OrderRoot(int depth);

 private:
  static constexpr size_t kPlies = 12;
  // The other side's moves first.
  using Line = std::array<Move, kPlies>;

  Tree& tree_;
  Line lines_[kMaxPly + 1];  // by the ply of the pass
  int passed_depth_ = 0;     // the last iteration before which the root has passed
};

}  // namespace joseki
