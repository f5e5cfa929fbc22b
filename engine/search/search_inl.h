#pragma once

#include "engine/search/cuts_inl.h"
#include "engine/search/ends_inl.h"
#include "engine/search/lessons_inl.h"
#include "engine/search/node_inl.h"
#include "engine/search/null_move_inl.h"
#include "engine/search/papers/papers_inl.h"
#include "engine/search/quiesce_inl.h"
#include "engine/search/root_inl.h"
#include "engine/search/root_mates_inl.h"
#include "engine/search/singular_inl.h"
#include "engine/search/threads_inl.h"
#include "engine/search/tree_inl.h"

// The body of Search<G>. Included only by the file of each game that instantiates it.
namespace joseki {

template <Game G>
Search<G>::Search(size_t tt_bytes) : threads_(std::make_unique<Threads>(tt_bytes)) {}
template <Game G>
Search<G>::~Search() = default;
template <Game G>
void Search<G>::NewGame() {
  threads_->tree().table().Clear();
  threads_->Forget();
}
template <Game G>
void Search<G>::ResizeTable(size_t tt_bytes) {
  threads_->tree().table().Resize(tt_bytes);
  threads_->Forget();
}
template <Game G>
void Search<G>::SetOptions(const SearchOptions& options) {
  threads_->SetOptions(options);
}
template <Game G>
const Counts& Search<G>::counts() const {
  return threads_->tree().counts();
}
template <Game G>
typename G::Evaluator& Search<G>::evaluator() {
  return threads_->tree().evaluator();
}
template <Game G>
void Search<G>::CountKillers(bool counts) {
  threads_->tree().papers().killers.Count(counts);
}
template <Game G>
const KillerRates& Search<G>::killer_rates() const {
  return threads_->tree().papers().killers.rates();
}
template <Game G>
void Search<G>::SetFavours(const Favours<G>* favours) {
  threads_->tree().papers().bonuses.SetFavours(favours);
}
template <Game G>
void Search<G>::SetAlike(const AlikeMoves<G>* alike) {
  threads_->tree().papers().order.SetAlike(alike);
}
template <Game G>
void Search<G>::CountTableIn(TableStatistics* statistics) {
  threads_->tree().table().CountIn(statistics);
}
template <Game G>
void Search<G>::SetThreads(int threads) {
  threads_->SetNumber(threads);
}
template <Game G>
SearchResult Search<G>::Run(const typename G::Position& position, const SearchLimits& limits,
                            const SearchObserver& observer) {
  return threads_->Run(position, limits, observer);
}
template <Game G>
void Search<G>::Stop() {
  threads_->tree().budget().Stop();
}
template <Game G>
void Search<G>::ClearStop() {
  threads_->tree().budget().ClearStop();
}
template <Game G>
bool Search<G>::stopping() const {
  return threads_->tree().budget().stopping();
}

}  // namespace joseki
