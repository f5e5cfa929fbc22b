#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "absl/time/time.h"
#include "base/clock.h"
#include "cli/words/voice.h"

namespace joseki::cli {

// Progress of a longer piece of work: one line rewritten in place on a terminal, elsewhere a plain
// line now and then. Nothing appears in the first two seconds. Not thread-safe.
class Progress {
 public:
  struct Options {
    bool terminal = false;
    absl::Duration quiet = absl::Seconds(2);
    absl::Duration terminal_every = absl::Milliseconds(200);
    absl::Duration plain_every = absl::Seconds(10);
    Voice voice = {};
  };

  Progress(std::ostream& out, const Clock& clock, Options options);
  // Options for stderr; `terminal` is whether stderr is one.
  static Options ForStandardError(const Voice& voice = Voice());
  ~Progress();

  // Reports `done` of `total` (0: unknown) of the work `what`, with the throughput and the time
  // left. `detail` is appended. A new `what` starts a new measurement.
  void Update(const std::string& what, uint64_t done, uint64_t total, const std::string& detail);
  // Erases the live line before other output.
  void Clear();

 private:
  std::ostream& out_;
  const Clock& clock_;
  const Options options_;
  const absl::Time began_;
  std::string what_;
  absl::Time what_began_;
  absl::Time last_ = absl::InfinitePast();
  size_t live_width_ = 0;
};

}  // namespace joseki::cli
