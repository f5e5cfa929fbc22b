#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {

// Null moves other than the search's own: C. Ye's, without reduction and with a full window, and
// YSS's pass at every inner node, which shows the threat. Counts the passes of a line.
template <Game G>
class Search<G>::Papers::Passes {
 public:
  explicit Passes(Tree& tree) : tree_(tree) {}

  // Whether they replace the search's null move; whether passes are counted. Any hooks.
  bool ReplaceNullMove() const;
  bool AreCounted() const;
  bool InUse() const { return ReplaceNullMove() || AreCounted(); }

  // Whether a pass cuts the node; replaces the search's null move. REQUIRES: ReplaceNullMove(), out
  // of check.
  bool Cut(Node& node, Value alpha, Value beta, Value& value);
  // Whether the line to this node has the largest allowed number of passes.
  bool HasEnough(int ply) const;

  // Hook `extend`.
  void OnPlay(int ply) { counts_[ply + 1] = counts_[ply]; }
  void OnPass(int ply) { counts_[ply + 1] = counts_[ply] + 1; }

 private:
  Tree& tree_;
  int counts_[kMaxPly + 1] = {};  // of the line to each ply
};

}  // namespace joseki
