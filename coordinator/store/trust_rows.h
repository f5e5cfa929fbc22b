#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The table `trust_changes`: workers that were blocked or unblocked, and the reasons.
class TrustRows {
 public:
  explicit TrustRows(Statements& sql) : sql_(sql) {}

  absl::Status Insert(const TrustChange& change);
  // All changes, in order.
  absl::StatusOr<std::vector<TrustChange>> ReadAll();

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
