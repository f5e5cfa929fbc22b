#pragma once

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "base/rng.h"

namespace joseki::worker {

// The waits before retries of one kind of call. Pure: the caller waits.
class Retry {
 public:
  Retry(Backoff::Options options, Rng rng) : backoff_(options, rng.Split(0)), rng_(rng.Split(1)) {}

  // The wait after an error: the back-off, or longer if the error asks for it.
  absl::Duration WaitAfter(const absl::Status& status);
  // Call it after a success.
  void Reset() { backoff_.Reset(); }

 private:
  Backoff backoff_;
  Rng rng_;
};

}  // namespace joseki::worker
