#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/run_spec.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

struct RunRow {
  RunId run = 0;
  std::string request_id;  // may be empty
  RunSpec spec;
  Sha256 snapshot{};
  std::string state = "running";
  std::string reason;
  int64_t created_ms = 0;
  int64_t played_ms = 0;
  int stage = 0;              // 0-based; the number of stages once all are over
  uint64_t stage_seq = 0;     // lines of the stage are chosen by the games up to here
  uint64_t evidence_seq = 0;  // the checkpoint holds the games up to here
  uint64_t trust_change = 0;  // and none that trust up to this change excludes

  bool running() const { return state == "running"; }
  // Done, stopped or failed: nothing is played.
  bool over() const { return !running() && state != "paused"; }
  bool time_over() const {
    return spec.seconds > 0 && played_ms / 1000 >= static_cast<int64_t>(spec.seconds);
  }
  bool CanPlay() const { return running() && !time_over(); }
};

// The tables `runs` and `snapshots`: what is tuned, and the books it began with.
class RunRows {
 public:
  explicit RunRows(Statements& sql) : sql_(sql) {}

  // Each as book/graph.h serializes it.
  absl::Status InsertSnapshot(const Sha256& sha256, std::string_view bytes, std::string_view links);
  absl::StatusOr<std::string> ReadSnapshot(const Sha256& sha256);  // NotFound
  absl::StatusOr<std::string> ReadLinks(const Sha256& sha256);     // empty if there are none

  absl::Status Insert(const RunRow& run);
  // The spec's share, state, reason, played_ms, stage, stage_seq.
  absl::Status Update(const RunRow& run);
  absl::StatusOr<std::vector<RunRow>> ReadAll();
  absl::StatusOr<RunRow> Read(RunId run);  // NotFound "unknown_run"

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
