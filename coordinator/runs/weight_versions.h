#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/runs/kept_weights.h"

namespace joseki::coordinator {

// The weights by which the book of a run with re-entry answers: the newest version, and those that
// are still to be written. Pure; guarded by the owner's mutex.
class WeightVersions {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // 0 before the first version.
  uint32_t version() const { return version_; }
  // Counted games of the run when the newest version was made.
  uint64_t games() const { return games_; }
  const Vector& newest() const { return newest_; }

  // The newest version that is written, at a restart. `weights` has one number an edge.
  void Restore(uint32_t version, uint64_t games, Vector weights) {
    version_ = version;
    games_ = games;
    newest_ = std::move(weights);
  }
  // Makes `made.after` the newest version; `version` and `before` are set here.
  void Add(NewWeights made) {
    made.version = ++version_;
    made.before = std::exchange(newest_, made.after);
    games_ = made.games;
    unwritten_.push_back(std::move(made));
  }
  // Versions added since the last call, oldest first.
  std::vector<NewWeights> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  uint32_t version_ = 0;
  uint64_t games_ = 0;
  Vector newest_;
  std::vector<NewWeights> unwritten_;
};

}  // namespace joseki::coordinator
