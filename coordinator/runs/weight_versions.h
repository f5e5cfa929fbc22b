#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/runs/kept_weights.h"
#include "coordinator/runs/run_evidence.h"

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

  // The newest version that is written, at a restart. `weights` has one number an edge.
  void Restore(uint32_t version, uint64_t games, Vector weights) {
    version_ = version;
    games_ = games;
    newest_ = std::move(weights);
  }
  // Makes what the evidence says now the next version: what is frozen for a stage only where it has
  // just been frozen. Takes as long as WorkingWeights::Take. `priors`: their version.
  void Refresh(RunId run, RunEvidence& evidence, uint32_t priors) {
    games_ = evidence.counters().games;
    const Vector before = std::exchange(newest_, evidence.weights().Take());
    unwritten_.push_back({.run = run,
                          .version = ++version_,
                          .seq = evidence.seq(),
                          .games = games_,
                          .trust_change = evidence.trust().change(),
                          .before = before,
                          .after = newest_,
                          .priors = priors});
  }
  // Versions made since the last call, oldest first: to be written before slots that name them.
  std::vector<NewWeights> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  uint32_t version_ = 0;
  uint64_t games_ = 0;
  Vector newest_;
  std::vector<NewWeights> unwritten_;
};

}  // namespace joseki::coordinator
