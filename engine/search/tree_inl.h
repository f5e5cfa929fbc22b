#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "engine/search/lessons.h"
#include "engine/search/null_move.h"
#include "engine/search/tree.h"

// A tree's beginning, and its parts that nodes share: the table, the budget, mate searches.
namespace joseki {

template <Game G>
void Search<G>::Tree::SetOptions(const SearchOptions& options) {
  options_ = options;
  tt_.UseTwo(options.two_tables != 0);
  tt_.UseReplacement(static_cast<Replacement>(options.table_replacement));
  tt_.RefuseFrom(options.table_full);
  papers_.SetOptions();
}

template <Game G>
void Search<G>::Tree::Forget() {
  lessons_.Forget();
  counts_.Clear();
  papers_.Forget();
}

template <Game G>
void Search<G>::Tree::Begin(const Position& position, const SearchLimits& limits) {
  pos_ = position;
  budget_.Begin(limits);
  stack_.Clear();
  if (options_.table_forgets != 0) tt_.Clear();
  if (options_.two_tables_ponder == 0 || !papers_.tables.BeginBeside()) tt_.NewSearch();
  root_ = {.material = G::Material(pos_), .side = G::SideToMove(pos_)};
  credited_ = 0;
  hooks_ = papers_.Begin();
}

template <Game G>
inline bool Search<G>::Tree::Probe(int ply, const Key& key, TtData& data) {
  return tt_.Probe(key, data) || (hooks_.table && papers_.tables.ProbeOlder(ply, key, data));
}

// The table's move for the position; Move() if it has none.
template <Game G>
inline Move Search<G>::Tree::KnownMove(int ply, const Key& key) {
  TtData data;
  if (tt_.Probe(key, data) && data.move) return data.move;
  return hooks_.table && papers_.tables.ProbeOlder(ply, key, data) ? data.move : Move();
}

// False if the limit forbids another node; the search then unwinds.
template <Game G>
bool Search<G>::Tree::CountNode() {
  if (!budget_.CountNode()) return false;
  if ((budget_.nodes() & 255) == 0) Poll();
  return true;
}

template <Game G>
void Search<G>::Tree::Poll() {
  if (options_.table_full_stops != 0 && tt_.full()) {
    Fire(Technique::kTableStop);
    budget_.End();
  }
  budget_.Poll();
}

template <Game G>
typename G::MateFinder& Search<G>::Tree::MakeMateFinder() {
  if (mates_ == nullptr) mates_ = std::make_unique<typename G::MateFinder>();
  return *mates_;
}

// Runs the mate search `find` from the present position with at most `most` nodes, which count as
// nodes of the search.
template <Game G>
template <typename Find>
MateProbe Search<G>::Tree::SearchMate(uint64_t most, Find&& find) {
  most = budget_.Allowed(most);
  if (most == 0) return {};
  const MateProbe probe = find(most);
  budget_.Spend(probe.nodes);
  Poll();
  // The node count may have skipped the value at which Poll asks the clock.
  budget_.PollClock();
  return probe;
}

}  // namespace joseki
