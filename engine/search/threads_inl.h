#pragma once

#include <algorithm>
#include <thread>

#include "engine/search/search_impl.h"

// Several threads ("lazy SMP"; TACOS leaves it to others). Each searches the same root, and they
// share only the table. This thread's result is the answer; the others stop with it. Half of them
// start one iteration deeper, so that not all visit the same nodes.
namespace joseki {

template <Game G>
void Search<G>::Impl::SetThreads(int threads) {
  const size_t others = static_cast<size_t>(std::max(threads, 1)) - 1;
  if (others == helpers_.size()) return;
  helpers_.clear();
  for (size_t i = 0; i < others; ++i) {
    helpers_.push_back(std::make_unique<Impl>(size_t{0}));
    helpers_.back()->first_depth_ = 1 + static_cast<int>(i % 2 == 0);
  }
  tt_.UseShared(others > 0);
  SetOptions(options_);
}

template <Game G>
SearchResult Search<G>::Impl::RunWithHelpers(const Position& position, const SearchLimits& limits,
                                             const SearchObserver& observer) {
  if (helpers_.empty()) return Run(position, limits, observer);
  SearchLimits endless;
  endless.depth = limits.depth;
  endless.excluded = limits.excluded;
  endless.declaration = limits.declaration;
  SearchOptions options = options_;
  options.two_tables = options.table_replacement = options.table_full = 0;
  options.table_forgets = 0;
  // A mate found at the root does not reach the table, so helpers do not search for it.
  options.root_mate_nodes = 0;
  std::vector<std::thread> threads;
  for (const std::unique_ptr<Impl>& helper : helpers_) {
    helper->SetOptions(options);
    helper->evaluator_ = evaluator_;
    helper->papers_.ShareBooksOf(papers_);
    helper->tt_.LookAt(tt_);
    helper->ClearStop();
  }
  for (const std::unique_ptr<Impl>& helper : helpers_) {
    threads.emplace_back([&] { helper->Run(position, endless, nullptr); });
  }
  SearchResult result = Run(position, limits, observer);
  for (const std::unique_ptr<Impl>& helper : helpers_) helper->Stop();
  for (std::thread& thread : threads) thread.join();
  for (const std::unique_ptr<Impl>& helper : helpers_) {
    result.nodes += helper->nodes_;
    counts_.Add(helper->counts_);
    helper->counts_.Clear();
  }
  return result;
}

}  // namespace joseki
