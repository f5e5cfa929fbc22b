#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "absl/time/time.h"
#include "base/clock.h"
#include "cli/words/voice.h"

namespace joseki::cli {

// How far a longer piece of work is: on a terminal one line that is written over, elsewhere a plain
// line now and then; nothing in the first two seconds. Not thread-safe.
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
  // For stderr: a terminal or not, as the process was started.
  static Options ForStandardError(const Voice& voice = Voice());
  ~Progress();

  // `done` of `total` (0: unknown) of the work called `what`, with its rate in `unit` a second and
  // the time left. A new `what` starts a new measure.
  void Update(const std::string& what, uint64_t done, uint64_t total, const std::string& detail);
  // Takes the live line away before other output.
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
