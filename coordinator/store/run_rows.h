#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "coordinator/model/rows.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The tables `runs` and `snapshots`: runs, and the books that they began with.
class RunRows {
 public:
  explicit RunRows(Statements& sql) : sql_(sql) {}

  // Arguments as book/graph.h serializes them.
  absl::Status InsertSnapshot(const Sha256& sha256, std::string_view bytes, std::string_view links);
  absl::StatusOr<std::string> ReadSnapshot(const Sha256& sha256);  // NotFound
  absl::StatusOr<std::string> ReadLinks(const Sha256& sha256);     // empty if there are none

  absl::Status Insert(const RunRow& run);
  // Writes the spec's share, state, reason, played_ms, stage and stage_seq.
  absl::Status Update(const RunRow& run);
  absl::StatusOr<std::vector<RunRow>> ReadAll();
  absl::StatusOr<RunRow> Read(RunId run);  // NotFound "unknown_run"

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
