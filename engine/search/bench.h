#pragma once

#include <cstdint>

#include "engine/search/tt.h"

namespace joseki {

// Results of a game's benchmark (engine/search/shogi/bench.h, engine/search/xiangqi/bench.h).
struct BenchResult {
  uint64_t nodes = 0;
  // Hash of every position's nodes, depth, move and value: engines that decide alike have equal
  // signatures. Below 2^48, so that a JSON number holds it; never 0.
  uint64_t signature = 0;
};

struct TableBench {
  uint64_t nodes = 0;
  TableStatistics statistics;
  double expected_overwrites = 0;  // summed over positions
};

// Nodes a position for identifying an engine: a fraction of a second in total.
inline constexpr uint64_t kSignatureNodes = 3000;

}  // namespace joseki
