#pragma once

#include "absl/time/time.h"

namespace joseki {

// The time. Code that decides by time takes a Clock or an absl::Time, so that tests can move it.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual absl::Time Now() const = 0;

  // The machine's clock; lives for ever.
  static const Clock& System();
};

}  // namespace joseki
