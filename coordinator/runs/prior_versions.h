#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/model/prior_set.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/pieces.h"
#include "coordinator/runs/prior_making.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"

namespace joseki::coordinator {

// The priors of a run: the newest version, when a further one is due, and how it is made of the
// evaluations and games by then. A run that asks for evaluations has priors from its beginning:
// version 1, of what other runs have left. Pure; guarded by the owner's mutex.
class PriorVersions {
 public:
  // `newest`: as it was written, or of version 0. Null evaluations: the run has no priors.
  // `at_once`: the book is small enough to Refresh them within another step.
  PriorVersions(RunId run, std::shared_ptr<const Evaluations> evaluations, const PriorSet& newest,
                bool at_once);

  const PriorSet& newest() const { return newest_; }
  bool at_once() const { return at_once_; }
  // Whether enough has come for a further version. Of a run that does not run only a change of
  // trust is.
  bool AreDue(const RunEvidence& evidence, bool running) const;

  // Makes it at once, in proportion to the book. REQUIRES: there are evaluations.
  void Refresh(const RunBook& book, RunEvidence& evidence);

  // Makes it in pieces, while games go on: Copy until there is no more to do, PriorMaking::Work
  // without the mutex, Adopt until there is no more to do. kVoid: the evidence has been computed
  // anew meanwhile, or is to be.
  PriorMaking Begin(const RunBook& book) const;
  Progress Copy(RunEvidence& evidence, PriorMaking& making, const PieceSize& piece = {}) const;
  Progress Adopt(RunEvidence& evidence, PriorMaking& making, const PieceSize& piece = {});

  // Versions made since the last call, oldest first: to be written before what follows from them.
  std::vector<PriorSet> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  std::shared_ptr<const Evaluations> evaluations_;
  bool at_once_;
  PriorSet newest_;
  uint64_t results_ = 0;  // that it was made of
  std::vector<PriorSet> unwritten_;
};

}  // namespace joseki::coordinator
