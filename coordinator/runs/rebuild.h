#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/folding.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// What is wanted of a run: its evidence from the games alone, in the order of their commits, with
// the selection of this stage and without the games that `trust` excludes.
struct RebuildPoint {
  RunRow row;
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  Trust trust;
  std::shared_ptr<const book::Priors> priors = nullptr;  // those that the run has now
  std::shared_ptr<const book::Orbits> orbits = nullptr;  // where it folds colours
};
struct RebuiltRun {
  RebuildPoint point;
  // All of it counts as changed. Of a run with re-entry its weights are worked out.
  std::unique_ptr<RunEvidence> evidence;
  uint64_t commit_seq = 0;              // the last game read
  book::EdgeId adopted = 0;             // edges whose slots in flight are in it
  std::vector<book::PlayedGame> match;  // as LoadedRun has it
};

// Reads one consistent state of the database; a coordinator may be writing to it. Takes its time: a
// few microseconds a game. DataLoss where the rows contradict each other, Cancelled once it is
// asked to stop.
absl::StatusOr<RebuiltRun> RebuildRun(book::Store& store, const Rules& rules, RebuildPoint point,
                                      const std::stop_token& stop = {});

}  // namespace joseki::coordinator
