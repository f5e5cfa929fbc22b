#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"

namespace joseki {

// Limits at which a mate search ends without an answer; 0: no such limit.
struct MateLimits {
  // A node is one move played in the search. Exact, but a mate that is found may take more: replies
  // whose proofs the table has lost are searched again for its line.
  uint64_t nodes = 0;
  int64_t ms = 0;
};

enum class MateVerdict : uint8_t {
  kMate,     // the side to move mates by checks alone against every defence
  kNoMate,   // no such mate exists
  kUnknown,  // a limit was reached
};

struct MateResult {
  MateVerdict verdict = MateVerdict::kUnknown;
  // For kMate: both sides' moves to the end, verified by the rules. Not necessarily the shortest
  // mate or the longest defence.
  std::vector<Move> line;
  uint64_t nodes = 0;
  int64_t ms = 0;
};

}  // namespace joseki
