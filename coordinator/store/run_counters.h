#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// Sums over the games of a run, beside the weights.
struct RunCounters {
  uint64_t games = 0;  // accepted, faults not counted
  uint64_t faults = 0;
  uint64_t draws = 0;  // thrown away: played, and not counted for a stage
  uint64_t stale = 0;
  uint64_t excluded = 0;  // of workers that are not trusted: in nothing else here
  uint64_t think_ms = 0;
  std::map<Termination, uint64_t> terminations;
  uint64_t resign_checked = 0;
  uint64_t resign_wrong = 0;
  std::map<int, uint64_t> counted;  // by stage: what its quota counts
  bool operator==(const RunCounters&) const = default;
};

// As the database keeps them: one JSON object. Reading is strict: DataLoss "bad_row" on anything
// that writing would not have given.
std::string CountersToJson(const RunCounters& counters);
absl::StatusOr<RunCounters> CountersFromJson(std::string_view json);

}  // namespace joseki::coordinator
