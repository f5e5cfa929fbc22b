#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/run_counters.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// Evidence of the games up to `seq` on one move.
struct EvidenceRow {
  book::EdgeId edge = 0;
  int64_t sum = 0;
  book::Evidence evidence;
  uint64_t seq = 0;
  int stage = -1;  // the run's stage at `seq`; -1: its rule has no stages
  // Evidence when that stage began; a staged rule has it.
  int64_t frozen_sum = 0;
  book::Evidence frozen_evidence;
  bool operator==(const EvidenceRow&) const = default;
};

// Sums over the games of a run up to `seq`, beside their evidence.
struct Checkpoint {
  uint64_t seq = 0;
  RunCounters counters;
  std::deque<uint64_t> seen;  // moves hashes of different games since the checkpoint before
};

// The checkpoints of runs: the tables `evidence` and `seen_games`, and the counters in `runs`.
//
// A checkpoint is written in two steps, possibly in separate transactions. First come all rows that
// games up to checkpoint.seq changed, each as of then or later; then the checkpoint. Nothing is
// written if the run's evidence is of another trust by then.
class EvidenceRows {
 public:
  explicit EvidenceRows(Statements& sql) : sql_(sql) {}

  absl::Status Save(RunId run, std::span<const EvidenceRow> rows, uint64_t trust_change = 0);
  absl::Status SaveCheckpoint(RunId run, const Checkpoint& checkpoint, uint64_t trust_change = 0);
  // Makes the run's checkpoint void: the evidence follows from the games alone, with the trust up
  // to this change.
  absl::Status DropCheckpoint(RunId run, uint64_t trust_change);

  absl::StatusOr<std::vector<EvidenceRow>> Read(RunId run);
  // Nullopt: there is no checkpoint, and any evidence rows are void.
  absl::StatusOr<std::optional<RunCounters>> ReadCounters(RunId run);
  // Every moves hash of the checkpoint, in order of commit, chunk by chunk.
  absl::Status ForEachSeen(RunId run, const std::function<void(std::span<const uint64_t>)>& visit);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
