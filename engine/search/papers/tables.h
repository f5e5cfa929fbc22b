#pragma once

#include <optional>

#include "engine/search/papers/papers.h"
#include "engine/search/tt.h"

namespace joseki {

// Tables of the papers: two that take turns (TACOS), and hits that count as the nodes of their
// subtrees ("big all").
template <Game G>
class Search<G>::Papers::Tables {
 public:
  explicit Tables(Tree& tree) : tree_(tree) {}

  void Forget() { guessed_.reset(); }
  bool InUse() const;

  // TwoTablesPonder: prepares the tables for a search that follows one of a guessed answer; false
  // for any other search. The table of the position before that answer stays the older one. Called
  // only with its option.
  bool BeginBeside();
  // Probes the previous search's table, if there are two, up to TwoTablesPlies from the root.
  bool ProbeOlder(int ply, const Key& key, TtData& data);
  // Credits the nodes of a hit that has cut a node.
  void OnCut(const TtData& known);

 private:
  Tree& tree_;
  std::optional<Key> guessed_;  // root of the last search, if it pondered
};

}  // namespace joseki
