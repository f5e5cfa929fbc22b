#pragma once

#include <memory>

#include "engine/search/papers/mate_verdicts.h"
#include "engine/search/papers/papers.h"

namespace joseki {

// Mates that nodes look for besides their search (YSS): mates in one, or by a mate search of few
// nodes. A mate found sets `value` and is stored in the table.
template <Game G>
class Search<G>::Papers::Mates {
 public:
  explicit Mates(Tree& tree) : tree_(tree) {}

  void SetOptions();
  void Forget();
  void Begin();
  bool InUse() const;

  // Whether the mate search proves a mate. It runs near the horizon or, with nodes by the plies
  // left (as in YSS), anywhere. A position with a known verdict costs no nodes.
  bool Finds(const Node& node, Value& value);
  // Whether the side to move mates at once: in a node that the table does not know, or at distance
  // `qply` from a leaf. REQUIRES: not in check.
  bool InOne(const Node& node, Value& value);
  bool AtLeaf(int ply, int qply, Value& value);

 private:
  bool MatesInOne(int ply, Value& value);

  Tree& tree_;
  std::unique_ptr<MateVerdicts> verdicts_;  // of Mate_Nodes; null without it
};

}  // namespace joseki
