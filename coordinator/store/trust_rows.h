#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The table `trust_changes`: who was blocked or let in again, and why.
class TrustRows {
 public:
  explicit TrustRows(Statements& sql) : sql_(sql) {}

  absl::Status Insert(const TrustChange& change);
  // In order.
  absl::StatusOr<std::vector<TrustChange>> ReadAll();

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
