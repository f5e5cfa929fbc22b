#pragma once

#include "absl/time/time.h"

namespace joseki {

// A source of the time. Code that decides by time takes a Clock or an absl::Time, so that tests can
// move it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual absl::Time Now() const = 0;

  // The machine's clock; never destroyed.
  static const Clock& System();
};

}  // namespace joseki
