#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

// Counted failures of a line or a position, in all and by worker. Names refer to the weighed
// failures.
struct FailureWeight {
  uint32_t failures = 0;
  std::map<std::string_view, uint32_t> by;
  size_t workers() const { return by.size(); }
};

// Weighs failures; those under leases before `since` and those of workers that are not trusted do
// not count.
FailureWeight Weigh(std::span<const LineFailure> failed, const Trust& trust, LeaseId since = 0);

// Number of the worker's own failures, whether it is trusted or not.
uint32_t FailuresOf(std::span<const LineFailure> failed, const std::string& worker);

// Adds a failure unless its lease has one: a fault may come after its lease has ended.
void AddFailure(std::vector<LineFailure>& failed, const LineFailure& failure);

}  // namespace joseki::coordinator
