#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A held Acquire.
struct Waiter {
  AcquireInput input;
  std::function<void(absl::StatusOr<AcquireOutput>)> done;
};

// The held calls for work: at most one per session, found by session, by deadline, and by run in
// order of arrival. Ten thousand may wait while games come in, so no operation scans them all.
// Adding, taking and finding take logarithmic time for each run that the waiter can serve. Not
// thread-safe: guarded by the owner's mutex.
class WaitList {
 public:
  // REQUIRES: the session does not wait. `runs` are those that it can serve.
  void Add(Waiter waiter, std::span<const RunId> runs, absl::Time deadline);
  // Nullopt if the session does not wait.
  std::optional<Waiter> Take(SessionId session);
  // Takes the calls whose deadline is at or before `now`, earliest first.
  std::vector<Waiter> TakeExpired(absl::Time now);
  std::vector<Waiter> TakeAll();

  // Adds a run that a waiting session can serve.
  void AddRun(SessionId session, RunId run);

  // Removes all runs of a waiting session.
  void RemoveRuns(SessionId session);

  // At most `most` sessions that can serve the run, longest wait first.
  std::vector<SessionId> Of(RunId run, size_t most) const;
  // The longest waiting session that can serve one of `runs`.
  std::optional<SessionId> First(std::span<const RunId> runs) const;
  size_t size() const { return waiting_.size(); }

 private:
  struct Entry {
    Waiter waiter;
    uint64_t arrival = 0;
    absl::Time deadline;
    std::vector<RunId> runs;
  };

  void LeaveQueues(Entry& entry);

  std::map<SessionId, Entry> waiting_;
  std::set<std::pair<absl::Time, SessionId>> deadlines_;
  std::map<RunId, std::map<uint64_t, SessionId>> queues_;  // by arrival
  uint64_t arrivals_ = 0;
};

}  // namespace joseki::coordinator
