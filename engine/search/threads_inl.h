#pragma once

#include <algorithm>
#include <thread>

#include "engine/search/threads.h"

namespace joseki {

template <Game G>
void Search<G>::Threads::SetNumber(int threads) {
  const size_t others = static_cast<size_t>(std::max(threads, 1)) - 1;
  if (others == helpers_.size()) return;
  helpers_.clear();
  for (size_t i = 0; i < others; ++i) {
    helpers_.push_back(std::make_unique<Root>(size_t{0}, i % 2 == 0 ? 2 : 1));
  }
  tree().table().UseShared(others > 0);
  SetOptions(options_);
}

template <Game G>
void Search<G>::Threads::SetOptions(const SearchOptions& options) {
  options_ = options;
  SearchOptions own = options;
  // Nobody empties a table that others use.
  if (!helpers_.empty()) own.two_tables = own.table_forgets = 0;
  tree().SetOptions(own);
  SearchOptions helping = own;
  helping.table_replacement = helping.table_full = 0;
  // A mate found at the root does not reach the table, so helpers do not search for it.
  helping.root_mate_nodes = 0;
  for (const std::unique_ptr<Root>& helper : helpers_) helper->tree().SetOptions(helping);
}

template <Game G>
void Search<G>::Threads::Forget() {
  tree().Forget();
  for (const std::unique_ptr<Root>& helper : helpers_) helper->tree().Forget();
}

template <Game G>
SearchResult Search<G>::Threads::Run(const Position& position, const SearchLimits& limits,
                                     const SearchObserver& observer) {
  if (helpers_.empty()) {
    const SearchResult alone = own_.Run(position, limits, observer);
    own_.ReportResult(observer, alone);
    return alone;
  }
  SearchLimits endless;
  endless.depth = limits.depth;
  endless.excluded = limits.excluded;
  endless.declaration = limits.declaration;
  for (const std::unique_ptr<Root>& helper : helpers_) {
    Tree& other = helper->tree();
    other.evaluator() = tree().evaluator();
    other.papers().ShareBooksOf(tree().papers());
    other.table().LookAt(tree().table());
    other.budget().ClearStop();
  }
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Root>& helper : helpers_) {
    threads.emplace_back([&] { helper->Run(position, endless, nullptr); });
  }
  SearchResult result = own_.Run(position, limits, observer);
  for (const std::unique_ptr<Root>& helper : helpers_) helper->tree().budget().Stop();
  for (std::thread& thread : threads) thread.join();
  for (const std::unique_ptr<Root>& helper : helpers_) {
    Tree& other = helper->tree();
    result.nodes += other.budget().nodes();
    tree().counts().Add(other.counts());
    other.counts().Clear();
  }
  own_.ReportResult(observer, result);
  return result;
}

}  // namespace joseki
