#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/search/root.h"

namespace joseki {

// Several threads ("lazy SMP"; TACOS leaves it to others). Each searches the same root, and they
// share only the table. This thread's result is the answer; the others stop with it. Half of them
// start one iteration deeper, so that not all visit the same nodes.
template <Game G>
class Search<G>::Threads {
 public:
  using Position = typename G::Position;

  explicit Threads(size_t tt_bytes) : own_(tt_bytes, 1) {}

  // The calling thread's tree.
  Tree& tree() { return own_.tree(); }

  void SetNumber(int threads);
  void SetOptions(const SearchOptions& options);
  void Forget();
  SearchResult Run(const Position& position, const SearchLimits& limits,
                   const SearchObserver& observer);

 private:
  SearchOptions options_;
  Root own_;
  std::vector<std::unique_ptr<Root>> helpers_;
};

}  // namespace joseki
