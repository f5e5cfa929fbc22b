#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The table `poisoned_lines`: lines of a run that are not played any more.
class PoisonedRows {
 public:
  explicit PoisonedRows(Statements& sql) : sql_(sql) {}

  // Replaces the earlier row of the line.
  absl::Status Insert(RunId run, const PoisonedLine& line);
  absl::StatusOr<std::vector<PoisonedLine>> ReadAll(RunId run);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
