#pragma once

#include <string>

#include "absl/time/time.h"
#include "tests/simulation/simulation.h"
#include "tests/simulation/world.h"

namespace joseki::testing {

// State shared by all parts of a simulation: its world, the duration of the trouble, and the
// report.
struct Stage {
  explicit Stage(uint64_t seed) : world(seed) {}

  bool trouble() const { return world.Now() < trouble_until; }
  void Violation(const std::string& what) {
    world.Trace("VIOLATION ", what);
    if (report.violations.size() < 20) report.violations.push_back(what);
  }

  World world;
  absl::Time trouble_until;
  SimulationReport report;
};

}  // namespace joseki::testing
