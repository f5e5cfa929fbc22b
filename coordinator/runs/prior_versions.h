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

// Priors of a run: the newest version, the rule for the next one, and its making from the
// evaluations and games so far. A run that asks for evaluations has priors from the start: version
// 1, of results that other runs have left. Pure; guarded by the owner's mutex.
class PriorVersions {
 public:
  // `newest`: the version last written, or version 0. Null evaluations: the run has no priors.
  // `at_once`: the book is small enough to Refresh them within another step.
  PriorVersions(RunId run, std::shared_ptr<const Evaluations> evaluations, const PriorSet& newest,
                bool at_once);

  const PriorSet& newest() const { return newest_; }
  bool at_once() const { return at_once_; }
  // Whether enough has come for a further version. A run that is not running needs one only after a
  // change of trust.
  bool AreDue(const RunEvidence& evidence, bool running) const;

  // Makes a version at once, in time proportional to the book. REQUIRES: there are evaluations.
  void Refresh(const RunBook& book, RunEvidence& evidence);

  // Makes a version in pieces while games go on. Copy until nothing is left, call PriorMaking::Work
  // outside the mutex, Adopt until nothing is left. kVoid: the evidence was or will be rebuilt.
  PriorMaking Begin(const RunBook& book) const;
  Progress Copy(RunEvidence& evidence, PriorMaking& making, const PieceSize& piece = {}) const;
  Progress Adopt(RunEvidence& evidence, PriorMaking& making, const PieceSize& piece = {});

  // Versions made since the last call, oldest first. Write them before the rows that follow from
  // them.
  std::vector<PriorSet> TakeNew() { return std::exchange(unwritten_, {}); }

 private:
  std::shared_ptr<const Evaluations> evaluations_;
  bool at_once_;
  PriorSet newest_;
  uint64_t results_ = 0;  // number of results in newest_
  std::vector<PriorSet> unwritten_;
};

}  // namespace joseki::coordinator
