#pragma once

#include "engine/search/papers/tables.h"
#include "engine/search/search_impl.h"

namespace joseki {

template <Game G>
bool Search<G>::Papers::Tables::InUse() const {
  return search_.options_.two_tables != 0 ||
         search_.options_.table_replacement == static_cast<int>(Replacement::kBigAll);
}

template <Game G>
bool Search<G>::Papers::Tables::BeginBeside() {
  const Key root = G::KeyOf(search_.pos_);
  const bool beside = guessed_.has_value();
  if (beside) search_.tt_.NewSearchBeside(/*goes_on=*/*guessed_ == root);
  guessed_.reset();
  if (search_.limits_.ponder) guessed_ = root;
  return beside;
}

template <Game G>
bool Search<G>::Papers::Tables::ProbeOlder(int ply, const Key& key, TtData& data) {
  const SearchOptions& o = search_.options_;
  if (o.two_tables == 0 || (o.two_tables_plies != 0 && ply >= o.two_tables_plies)) return false;
  if (!search_.tt_.ProbeOlder(key, data)) return false;
  search_.Fire(Technique::kOlderTable);
  return true;
}

template <Game G>
void Search<G>::Papers::Tables::OnCut(const TtData& known) {
  if (search_.options_.table_replacement == static_cast<int>(Replacement::kBigAll)) {
    search_.credited_ += known.nodes;
  }
}

}  // namespace joseki
