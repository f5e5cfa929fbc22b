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

// The failures of a line or a position that count, in all and by worker. The names are those of the
// failures that were weighed.
struct FailureWeight {
  uint32_t failures = 0;
  std::map<std::string_view, uint32_t> by;
  size_t workers() const { return by.size(); }
};

// Failures under leases before `since`, and those of workers that are not trusted, count for
// nothing.
FailureWeight Weigh(std::span<const LineFailure> failed, const Trust& trust, LeaseId since = 0);

// The worker's own failures, whether it is trusted or not.
uint32_t FailuresOf(std::span<const LineFailure> failed, const std::string& worker);

// A lease counts once: a fault may come late, when its lease has already ended.
void AddFailure(std::vector<LineFailure>& failed, const LineFailure& failure);

}  // namespace joseki::coordinator
