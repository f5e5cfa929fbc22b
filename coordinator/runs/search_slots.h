#pragma once

#include <optional>

#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"

namespace joseki::coordinator {

// The part of a run that grants its searches as leased slots and follows their outcome.
class SearchSlots {
 public:
  virtual ~SearchSlots() = default;

  // Undoes the grant of a slot that was never handed out.
  virtual void Withdraw(const PlannedSlot& plan) = 0;
  // Ends the slot without a result, with its lease or by a fault. `open`: the slot was open until
  // now. `failed`: worker and lease, if the position may be to blame.
  virtual void Lose(const PlannedSlot& plan, bool open,
                    const std::optional<LineFailure>& failed) = 0;
  // Opens a slot whose lease is alive after a restart.
  virtual void Reopen(const PlannedSlot& plan) = 0;
};

}  // namespace joseki::coordinator
