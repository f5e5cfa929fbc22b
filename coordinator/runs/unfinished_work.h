#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "book/weights_delta.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/rows.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/scheduling/lease_table.h"

namespace joseki::coordinator {

// Work that a run had in hand when its coordinator ended, from its rows. A restart restores this
// and LoadedRun.
struct UnfinishedWork {
  struct Weights {
    uint32_t version = 0;
    uint64_t games = 0;  // games of the run at that time
    std::shared_ptr<const book::Weights> weights;
  };
  struct Lease {
    LeaseGrant grant;
    LeaseState state = LeaseState::kLive;
    std::set<uint32_t> filled;  // slots whose game was committed
  };
  struct Fault {
    GameRow game;
    PlannedSlot plan;
  };

  std::optional<Weights> weights;      // with re-entry: the newest version
  std::vector<PoisonedLine> poisoned;  // and freed lines
  std::vector<Lease> leases;           // leases with empty slots, ascending
  std::vector<Fault> faults;           // faults of the stage
  std::vector<SlotRef> replaced;       // slots that were granted again
};

}  // namespace joseki::coordinator
