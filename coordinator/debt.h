#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// What changed in memory alone and the database must be told (coordinator.h).
struct Debt {
  std::map<LeaseId, LeaseState> leases;
  std::map<RunId, RunRow> runs;
  std::vector<std::pair<RunId, PoisonedLine>> poisoned;  // or freed
  std::map<SessionId, int64_t> left;                     // and when, in Unix milliseconds
  std::vector<PriorSet> priors;
  std::vector<NewWeights> weights;
  std::vector<TrustChange> trust;
  std::map<RunId, uint64_t> dropped;  // whose checkpoint is void: its evidence is of this trust
  std::vector<std::pair<RunId, SlotRef>> closed;  // games whose copies nothing depends on
};

}  // namespace joseki::coordinator
