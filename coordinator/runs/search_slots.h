#pragma once

#include <optional>

#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"

namespace joseki::coordinator {

// The part of a run that gives out its searches as leased slots, and hears what became of each.
class SearchSlots {
 public:
  virtual ~SearchSlots() = default;

  // The slot was never handed out.
  virtual void Withdraw(const PlannedSlot& plan) = 0;
  // The slot ended without a result, with its lease or by a fault; `open`: it was until now.
  // `failed`: by whom and under which lease, where the position may be to blame.
  virtual void Lose(const PlannedSlot& plan, bool open,
                    const std::optional<LineFailure>& failed) = 0;
  // After a restart: the slot's lease lives.
  virtual void Reopen(const PlannedSlot& plan) = 0;
};

}  // namespace joseki::coordinator
