#pragma once

#include <optional>

#include "engine/search/papers/papers.h"
#include "engine/search/tt.h"

namespace joseki {

// Tables as the papers have them: two that take turns (TACOS), and a hit that counts as the nodes
// behind it ("big all").
template <Game G>
class Search<G>::Papers::Tables {
 public:
  explicit Tables(Tree& tree) : tree_(tree) {}

  void Forget() { guessed_.reset(); }
  bool InUse() const;

  // TwoTablesPonder: begins the tables of a search that follows one of a guessed answer; false for
  // any other search. The table of the position before that answer stays the older one. With its
  // option alone.
  bool BeginBeside();
  // Probes the table of the search before, where there are two, to so many plies from the root.
  bool ProbeOlder(int ply, const Key& key, TtData& data);
  // A hit has cut a node.
  void OnCut(const TtData& known);

 private:
  Tree& tree_;
  std::optional<Key> guessed_;  // root of the last search, if it pondered
};

}  // namespace joseki
