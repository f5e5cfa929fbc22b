#pragma once

#include "absl/time/time.h"
#include "base/rng.h"

namespace joseki {

// Exponential back-off with full jitter. Pure: the caller sleeps.
class Backoff {
 public:
  struct Options {
    absl::Duration first = absl::Seconds(1);
    absl::Duration most = absl::Seconds(60);
  };

  Backoff(Options options, Rng rng) : options_(options), ceiling_(options.first), rng_(rng) {}

  // The wait before the next try: uniform in (0, ceiling], the ceiling doubling up to `most`.
  absl::Duration Next();

  // Starts from `first` again; to be called after a success.
  void Reset() { ceiling_ = options_.first; }

 private:
  Options options_;
  absl::Duration ceiling_;
  Rng rng_;
};

}  // namespace joseki
