#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A position whose answer has changed since the run began.
struct Mover {
  std::string position;  // as the rules write it
  PackedPosition packed;
  // The shortest line from the run's start; nullopt: only moves that the book lacks lead there.
  std::optional<std::vector<Move>> line;
  uint64_t games = 0;
  ExportBook::Move before;
  ExportBook::Move after;
};

// The answers that games or searches changed: those with the most games and trials first, then
// those nearest to the start. `changed` counts all; `top` has at most `most`. The answer at the
// beginning is the move of the largest base weight.
struct Movers {
  uint64_t changed = 0;
  std::vector<Mover> top;
};
absl::StatusOr<Movers> MoversOf(const TunedRun& run, const Rules& rules, size_t most);

}  // namespace joseki::coordinator
