#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/coordinator_port.h"
#include "worker/loop/shared.h"

namespace joseki::worker {

// The worker's session, shared by its threads. Joins are retried without limit, with jittered
// back-off. Two errors stop the loop: a refusal, and a coordinator that is repeatedly not our
// authority's (Mistrust). After a lost session the worker joins again, at a time that a hash of its
// name picks. Thread-safe.
class Membership {
 public:
  // `joined` is called after each Join, with the lock of shared.life held.
  Membership(LoopShared& shared, std::function<void(const Session&)> joined)
      : shared_(shared), joined_(std::move(joined)) {}

  // The session; joins if there is none. Blocks; Cancelled after `stop`, even while another thread
  // is joining.
  absl::StatusOr<Session> Current(std::stop_token stop);
  // Handles an error of a call made in `session`: forgets a session that the coordinator does not
  // know. Returns true if the call is to be repeated at once.
  bool Forget(SessionId session, const absl::Status& status);
  // Takes the intervals that a reply changes.
  void Adjust(SessionId session, const BeatOutput& reply);
  // Waits before a call that failed with `status` is retried. Returns early when the worker has
  // joined again, since there is a coordinator then. Returns false after `stop`.
  bool PauseAfter(const absl::Status& status, absl::Duration wait, const std::stop_token& stop);

  // The session, if there is one. REQUIRES: the lock of shared.life is held.
  const std::optional<Session>& session() const { return session_; }

 private:
  // Retries until it is admitted, refused or stopped. Waits first, for a time within `spread`.
  absl::StatusOr<Session> Join(absl::Duration spread, const std::stop_token& stop);

  LoopShared& shared_;
  const std::function<void(const Session&)> joined_;

  // Guarded by the lock of shared_.life.
  std::optional<Session> session_;
  bool joining_ = false;   // one thread at a time
  uint64_t joins_ = 0;     // successful ones
  absl::Duration spread_;  // of the next Join: zero unless a session was lost
};

}  // namespace joseki::worker
