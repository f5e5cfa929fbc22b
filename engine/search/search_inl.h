#pragma once

#include "engine/search/cuts_inl.h"
#include "engine/search/ends_inl.h"
#include "engine/search/learn_inl.h"
#include "engine/search/node_inl.h"
#include "engine/search/papers/papers_inl.h"
#include "engine/search/quiesce_inl.h"
#include "engine/search/root_inl.h"
#include "engine/search/search_impl.h"
#include "engine/search/singular_inl.h"
#include "engine/search/threads_inl.h"

// The body of Search<G>. Included only by the file of each game that instantiates it.
namespace joseki {

template <Game G>
Search<G>::Search(size_t tt_bytes) : impl_(std::make_unique<Impl>(tt_bytes)) {}
template <Game G>
Search<G>::~Search() = default;
template <Game G>
void Search<G>::NewGame() {
  impl_->NewGame();
}
template <Game G>
void Search<G>::ResizeTable(size_t tt_bytes) {
  impl_->ResizeTable(tt_bytes);
}
template <Game G>
void Search<G>::SetOptions(const SearchOptions& options) {
  impl_->SetOptions(options);
}
template <Game G>
const Counts& Search<G>::counts() const {
  return impl_->counts();
}
template <Game G>
typename G::Evaluator& Search<G>::evaluator() {
  return impl_->evaluator();
}
template <Game G>
void Search<G>::CountKillers(bool counts) {
  impl_->papers().killers.Count(counts);
}
template <Game G>
const KillerRates& Search<G>::killer_rates() const {
  return impl_->papers().killers.rates();
}
template <Game G>
void Search<G>::SetFavours(const Favours<G>* favours) {
  impl_->papers().bonuses.SetFavours(favours);
}
template <Game G>
void Search<G>::SetAlike(const AlikeMoves<G>* alike) {
  impl_->papers().order.SetAlike(alike);
}
template <Game G>
void Search<G>::CountTableIn(TableStatistics* statistics) {
  impl_->CountTableIn(statistics);
}
template <Game G>
void Search<G>::SetThreads(int threads) {
  impl_->SetThreads(threads);
}
template <Game G>
SearchResult Search<G>::Run(const typename G::Position& position, const SearchLimits& limits,
                            const SearchObserver& observer) {
  return impl_->RunWithHelpers(position, limits, observer);
}
template <Game G>
void Search<G>::Stop() {
  impl_->Stop();
}
template <Game G>
void Search<G>::ClearStop() {
  impl_->ClearStop();
}
template <Game G>
bool Search<G>::stopping() const {
  return impl_->stopping();
}

}  // namespace joseki
