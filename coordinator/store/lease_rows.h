#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/lease_table.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

struct LeaseRow {
  LeaseGrant grant;
  LeaseState state = LeaseState::kLive;
};

// The table `leases`: slots and the workers that they were given to.
class LeaseRows {
 public:
  explicit LeaseRows(Statements& sql) : sql_(sql) {}

  absl::Status Insert(const LeaseGrant& grant, LeaseState state = LeaseState::kLive);
  absl::Status SetState(LeaseId lease, LeaseState state);
  absl::StatusOr<LeaseRow> Read(LeaseId lease);  // NotFound
  // Leases of the run that are not finished, ascending.
  absl::StatusOr<std::vector<LeaseRow>> ReadUnfinished(RunId run);
  absl::StatusOr<std::set<uint32_t>> ReadFilledSlots(RunId run, LeaseId lease);
  // Lost slots of the run that were given out again, in leases after `after`.
  absl::StatusOr<std::vector<SlotRef>> ReadReplaced(RunId run, LeaseId after);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
