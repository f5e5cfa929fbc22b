#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

struct SessionRow {
  SessionId session = 0;
  std::string worker;
  uint32_t seats = 0;
  std::string build;
  int64_t joined_ms = 0;
};

// The table `sessions`: which workers joined, and until when.
class SessionRows {
 public:
  explicit SessionRows(Statements& sql) : sql_(sql) {}

  absl::Status Insert(const SessionRow& session);
  absl::Status End(SessionId session, int64_t left_ms);
  // Whether a worker of this name ever had one. Looks at all of them.
  absl::StatusOr<bool> Has(const std::string& worker);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
