#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "absl/status/statusor.h"
#include "book/folding.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "coordinator/model/rows.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/rules.h"

namespace joseki::book {
class Store;  // book/database/store.h
}

namespace joseki::coordinator {

// A request for a run's evidence from the games alone, in commit order. Selection is that of this
// stage; games that `trust` excludes are left out.
struct RebuildPoint {
  RunRow row;
  std::shared_ptr<const book::Graph> graph;
  std::shared_ptr<const book::Policy> policy;
  Trust trust;
  std::shared_ptr<const book::Priors> priors = nullptr;  // the run's current priors
  std::shared_ptr<const book::Orbits> orbits = nullptr;  // of a run that folds colours
};
struct RebuiltRun {
  RebuildPoint point;
  // All of it counts as changed. With re-entry, its weights are computed.
  std::unique_ptr<RunEvidence> evidence;
  uint64_t commit_seq = 0;              // the last game read
  book::EdgeId adopted = 0;             // edges whose open slots it contains
  std::vector<book::PlayedGame> match;  // as LoadedRun::match
};

// Reads one consistent state of the database while a coordinator may write to it. Takes a few
// microseconds a game. DataLoss if the rows contradict each other, Cancelled once it is asked to
// stop.
absl::StatusOr<RebuiltRun> RebuildRun(book::Store& store, const Rules& rules, RebuildPoint point,
                                      const std::stop_token& stop = {});

}  // namespace joseki::coordinator
