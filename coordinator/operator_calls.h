#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "coordinator/core/orders.h"
#include "coordinator/gate.h"
#include "coordinator/model/messages.h"
#include "coordinator/setting.h"
#include "coordinator/store/writer.h"

namespace joseki::coordinator {

// Calls of operators (proto/joseki/v1/operator.proto). Each blocks until its change is committed,
// and must not be called from a callback. Thread-safe.
class OperatorCalls {
 public:
  // All must outlive this object.
  OperatorCalls(const Setting& setting, Gate& gate, Writer& writer)
      : setting_(setting), gate_(gate), writer_(writer) {}

  struct CreatedRun {
    RunId run = 0;
    uint64_t positions = 0;
    uint64_t moves = 0;
  };
  absl::StatusOr<CreatedRun> CreateRun(const RunSpec& spec, const std::string& request_id);
  // Stores a shipped book (book/play_book.h) for runs whose opponent plays from it; returns its
  // SHA-256. "bad_snapshot" for other bytes, FailedPrecondition "empty_book".
  absl::StatusOr<Sha256> PutBook(const std::string& bytes);
  absl::StatusOr<std::string> PauseRun(RunId run);  // the new state
  absl::StatusOr<std::string> ResumeRun(RunId run);
  absl::StatusOr<std::string> StopRun(RunId run);
  // Extends a run's budget by RunState::Extend. NotFound "unknown_run", FailedPrecondition
  // "book_changed" (if the same book is asked for) or "games_dropped".
  absl::StatusOr<ExtendedRun> ExtendRun(RunId run, const MoreToPlay& more);
  // Sets the share from the next lease on; `weight` 0 keeps the weight. Returns the new share.
  absl::StatusOr<Share> SetPriority(RunId run, uint32_t priority, uint32_t weight);
  // Grants poisoned lines again, and those withheld from some worker: `line`, or all lines of the
  // run. Earlier failures no longer count. Returns the number of lines. NotFound
  // "line_not_left_out" for a line that is not poisoned or withheld.
  absl::StatusOr<uint32_t> FreeLines(RunId run, const std::optional<std::vector<Move>>& line);

  // `worker` empty: all workers, including those that join later. Returns the number of connected
  // workers affected.
  int Drain(const std::string& worker);
  // FailedPrecondition "all_drain" for one worker while all drain; NotFound "unknown_worker" for a
  // name that neither is here nor drains.
  absl::StatusOr<Undrained> Undrain(const std::string& worker);
  // Returns the number of its leases that ended. A blocked worker stays blocked. NotFound
  // "unknown_worker" for a name that this book has never seen, unless `unseen` allows it.
  absl::StatusOr<int> BlockWorker(const std::string& worker, const std::string& reason,
                                  bool unseen = false);
  // FailedPrecondition "not_blocked" if no game of the worker is out.
  absl::Status UnblockWorker(const std::string& worker, bool keep_games_out);

 private:
  absl::StatusOr<std::string> ChangeState(RunId run, const std::string& state);
  // NotFound "unknown_worker" for a name that never joined.
  absl::Status CheckSeen(const std::string& worker) const;
  // Waits for a transaction that pays every debt made so far.
  absl::Status Flush();

  const Setting& setting_;
  Gate& gate_;
  Writer& writer_;
  Mutex one_at_a_time_;  // CreateRun and ExtendRun; taken before the gate's
};

}  // namespace joseki::coordinator
