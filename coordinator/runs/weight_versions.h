#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/model/new_weights.h"
#include "coordinator/runs/run_evidence.h"

namespace joseki::coordinator {

// Weights by which the book of a run with re-entry answers: the newest version, and versions not
// yet written. Pure; guarded by the owner's mutex.
class WeightVersions {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // Number of the newest version; 0 before the first.
  uint32_t version() const { return version_; }
  // Counted games of the run when the newest version was made.
  uint64_t games() const { return games_; }

  // Restores the newest written version at a restart. `weights` has one number an edge.
  void Restore(uint32_t version, uint64_t games, Vector weights) {
    version_ = version;
    games_ = games;
    newest_ = std::move(weights);
  }
  // Makes the next version of the evidence as of now; frozen arms enter only right after the
  // freeze. Takes as long as WorkingWeights::Take. `priors`: their version.
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
  // Versions made since the last call, oldest first. Write them before slots that name them.
  std::vector<NewWeights> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  uint32_t version_ = 0;
  uint64_t games_ = 0;
  Vector newest_;
  std::vector<NewWeights> unwritten_;
};

}  // namespace joseki::coordinator
