#pragma once

#include "engine/search/papers/tables.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
bool Search<G>::Papers::Tables::InUse() const {
  return tree_.options_.two_tables != 0 ||
         tree_.options_.table_replacement == static_cast<int>(Replacement::kBigAll);
}

template <Game G>
bool Search<G>::Papers::Tables::BeginBeside() {
  const Key root = G::KeyOf(tree_.pos_);
  const bool beside = guessed_.has_value();
  if (beside) tree_.tt_.NewSearchBeside(/*goes_on=*/*guessed_ == root);
  guessed_.reset();
  if (tree_.budget_.limits().ponder) guessed_ = root;
  return beside;
}

template <Game G>
bool Search<G>::Papers::Tables::ProbeOlder(int ply, const Key& key, TtData& data) {
  const SearchOptions& o = tree_.options_;
  if (o.two_tables == 0 || (o.two_tables_plies != 0 && ply >= o.two_tables_plies)) return false;
  if (!tree_.tt_.ProbeOlder(key, data)) return false;
  tree_.Fire(Technique::kOlderTable);
  return true;
}

template <Game G>
void Search<G>::Papers::Tables::OnCut(const TtData& known) {
  if (tree_.options_.table_replacement == static_cast<int>(Replacement::kBigAll)) {
    tree_.credited_ += known.nodes;
  }
}

}  // namespace joseki
