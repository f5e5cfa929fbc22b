#pragma once

#include <memory>

#include "engine/search/papers/papers.h"
#include "engine/search/papers/singular_memory.h"

namespace joseki {

// Singular extensions after T. Anantharaman, M. Campbell and F.-h. Hsu (1988), in the form of C. Ye
// (figures 5.1 and 5.2 of his thesis). Any move that turns out best is tested, not the table's
// alone (engine/search/singular_inl.h). A move of the principal variation is tested against the
// others at their own depth. One that fails high is tested two plies less deep.
template <Game G>
class Search<G>::Papers::Singular {
 public:
  explicit Singular(Tree& tree) : tree_(tree) {}

  void SetOptions();
  void Forget();
  void BeginIteration();
  bool InUse() const;

  // Whether a test of this iteration or of the one before found the move to be singular. Such a
  // move is extended without another test. The iteration after that tests it again.
  bool StoodAlone(const Node& node, Move move);
  // Remembers a move that a test found to be singular.
  void Keep(const Node& node, Move move);

  // Whether moves of inner nodes, or of the root, are tested.
  bool TestsNodes() const;
  bool TestsRoot() const;
  // The value of a move that has beaten alpha, from a search one ply deeper if it is singular.
  // `others_known` becomes true if the test has shown the others to be worse.
  template <bool kPv>
  Value Deepen(const Node& node, Candidate candidate, Value value, Value alpha, Value beta,
               bool& others_known);

 private:
  bool StandsAlone(const Node& node, Move move, int depth, Value low);

  Tree& tree_;
  std::unique_ptr<SingularMemory> memory_;  // of SingularMemory; null without it
};

}  // namespace joseki
