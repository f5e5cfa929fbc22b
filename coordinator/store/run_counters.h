#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// Sums over the games of a run, stored beside the weights.
struct RunCounters {
  uint64_t games = 0;  // accepted, without faults
  uint64_t faults = 0;
  uint64_t draws = 0;  // thrown away: played, but not counted for a stage
  uint64_t stale = 0;
  uint64_t excluded = 0;  // by workers that are not trusted; in no other sum
  uint64_t think_ms = 0;
  std::map<Termination, uint64_t> terminations;
  uint64_t resign_checked = 0;
  uint64_t resign_wrong = 0;
  std::map<int, uint64_t> counted;  // by stage: games that count for its quota
  bool operator==(const RunCounters&) const = default;
};

// The database's form: one JSON object. Reading is strict: DataLoss "bad_row" for anything that
// CountersToJson would not write.
std::string CountersToJson(const RunCounters& counters);
absl::StatusOr<RunCounters> CountersFromJson(std::string_view json);

}  // namespace joseki::coordinator
