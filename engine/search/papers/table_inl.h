#pragma once

#include "engine/search/search_impl.h"

// Tables as the papers have them: two that take turns (TACOS), entries of an iteration (C. Ye), a
// hit that counts as the nodes behind it ("big all").
namespace joseki {

// The table of the search before, where there are two, to so many plies from the root.
template <Game G>
bool Search<G>::Papers::ProbeOlder(int ply, const Key& key, TtData& data) {
  const SearchOptions& o = options();
  if (o.two_tables == 0 || (o.two_tables_plies != 0 && ply >= o.two_tables_plies)) return false;
  if (!search_.tt_.ProbeOlder(key, data)) return false;
  search_.Fire(Technique::kOlderTable);
  return true;
}

// TwoTablesPonder: begins the tables of a search that follows one of a guessed answer; false for
// any other search. The table of the position before that answer stays the older one.
template <Game G>
bool Search<G>::Papers::BeginTable() {
  const Key root = G::KeyOf(search_.pos_);
  const bool beside = guessed_.has_value();
  if (beside) search_.tt_.NewSearchBeside(/*goes_on=*/*guessed_ == root);
  guessed_.reset();
  if (search_.limits_.ponder) guessed_ = root;
  return beside;
}

// Recalls the move alone from an iteration with another depth of null-move quiescence.
template <Game G>
void Search<G>::Papers::RecallMove(Node& node) {
  if (phase_before_ == phase_) return;
  const Key& key = search_.FrameAt(node.ply).key;
  TtData before;
  if (search_.Probe(node.ply, {key.hi ^ phase_before_, key.lo}, before)) {
    node.known.move = before.move;
  }
}

template <Game G>
void Search<G>::Papers::OnTableCut(const TtData& known) {
  if (options().table_replacement == static_cast<int>(Replacement::kBigAll)) {
    search_.credited_ += known.nodes;
  }
}

}  // namespace joseki
