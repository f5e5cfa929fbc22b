#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"

namespace joseki {

// When a mate search ends without an answer: at the first limit that is reached, 0 means no such
// limit.
struct MateLimits {
  uint64_t nodes = 0;  // exact; a node is one move played in the search
  int64_t ms = 0;
};

enum class MateVerdict : uint8_t {
  kMate,     // the side to move mates by checks alone, whatever the other does
  kNoMate,   // it does not
  kUnknown,  // a limit was reached
};

struct MateResult {
  MateVerdict verdict = MateVerdict::kUnknown;
  // kMate: both sides' moves to the end. Not always the shortest mate or the longest defence. The
  // rules have been asked about every move and about the end.
  std::vector<Move> line;
  uint64_t nodes = 0;
  int64_t ms = 0;
};

}  // namespace joseki
