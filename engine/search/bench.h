#pragma once

#include <cstdint>

#include "engine/search/tt.h"

namespace joseki {

// Results of the benchmark of any game (engine/search/shogi/bench.h,
// engine/search/xiangqi/bench.h).
struct BenchResult {
  uint64_t nodes = 0;
  // Follows from every position's nodes, depth, move and value: two engines
  // that decide alike have the same. Below 2^48, so that it survives as a JSON
  // number; never 0.
  uint64_t signature = 0;
};

struct TableBench {
  uint64_t nodes = 0;
  TableStatistics statistics;
  double expected_overwrites = 0;  // added up position by position
};

// Nodes a position by which an engine is told from others: a fraction of a second in all.
inline constexpr uint64_t kSignatureNodes = 3000;

}  // namespace joseki
