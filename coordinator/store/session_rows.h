#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/rows.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The table `sessions`: workers that joined, and the ends of their sessions.
class SessionRows {
 public:
  explicit SessionRows(Statements& sql) : sql_(sql) {}

  absl::Status Insert(const SessionRow& session);
  absl::Status End(SessionId session, int64_t left_ms);
  // Whether a worker of this name ever had a session. Scans the whole table.
  absl::StatusOr<bool> Has(const std::string& worker);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
