#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "book/weights_delta.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// What a run had in hand when its coordinator ended, as its rows say: beside LoadedRun, all that a
// restart restores.
struct UnfinishedWork {
  struct Weights {
    uint32_t version = 0;
    uint64_t games = 0;  // of the run when it was made
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

  std::optional<Weights> weights;      // with re-entry: the newest ones
  std::vector<PoisonedLine> poisoned;  // and freed lines
  std::vector<Lease> leases;           // those with empty slots, ascending
  std::vector<Fault> faults;           // of the stage
  std::vector<SlotRef> replaced;       // slots that were given out again
};

}  // namespace joseki::coordinator
