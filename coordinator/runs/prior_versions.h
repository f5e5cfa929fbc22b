#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "coordinator/model/prior_set.h"

namespace joseki::coordinator {

// The priors of a run: the newest version, and those that are still to be written. Pure; guarded by
// the owner's mutex.
class PriorVersions {
 public:
  // `results`: how many results `newest` was made of.
  PriorVersions(const PriorSet& newest, uint64_t results) : newest_(newest), results_(results) {}

  const PriorSet& newest() const { return newest_; }
  uint64_t results() const { return results_; }

  void Add(const PriorSet& made, uint64_t results) {
    newest_ = made;
    results_ = results;
    unwritten_.push_back(made);
  }
  // Versions added since the last call, oldest first.
  std::vector<PriorSet> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  PriorSet newest_;
  uint64_t results_;
  std::vector<PriorSet> unwritten_;
};

}  // namespace joseki::coordinator
