#pragma once

#include "engine/search/papers/papers.h"

namespace joseki {

// Null moves other than the search's own: C. Ye's, without reduction and with a full window, and
// the pass at every inner node by which YSS sees the threat. Counts the passes of a line.
template <Game G>
class Search<G>::Papers::Passes {
 public:
  explicit Passes(Tree& tree) : tree_(tree) {}

  // Any hooks: whether they take the place of the search's null move; whether passes are counted.
  bool ReplaceNullMove() const;
  bool AreCounted() const;
  bool InUse() const { return ReplaceNullMove() || AreCounted(); }

  // In place of the search's null move: whether a pass cuts the node. REQUIRES: ReplaceNullMove(),
  // out of check.
  bool Cut(Node& node, Value alpha, Value beta, Value& value);
  // Whether the line to this node has as many passes as one may have.
  bool HasEnough(int ply) const;

  // Hook `extend`.
  void OnPlay(int ply) { counts_[ply + 1] = counts_[ply]; }
  void OnPass(int ply) { counts_[ply + 1] = counts_[ply] + 1; }

 private:
  Tree& tree_;
  int counts_[kMaxPly + 1] = {};  // of the line to each ply
};

}  // namespace joseki
