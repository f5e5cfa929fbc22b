#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/search/context_killers.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/search/tt.h"

namespace joseki {

// The fixed positions of the benchmark, as position texts: openings, middle
// games and endings.
std::span<const char* const> BenchPositions();

struct BenchResult {
  uint64_t nodes = 0;
  // Follows from every position's nodes, depth, move and value: two engines
  // that decide alike have the same. Below 2^48, so that it survives as a JSON
  // number; never 0.
  uint64_t signature = 0;
};

// Searches every position with `nodes` nodes, each from a fresh table, and some positions near
// their end with 10,000 if that is more.
BenchResult RunBench(uint64_t nodes, const shogi::EngineOptions& options = {});

// The effective rates of each kind of J. Hashimoto's killers, each searched for
// itself and tried before captures, over the bench positions with `nodes`
// nodes.
KillerRates RunKillerBench(uint64_t nodes);

struct TableBench {
  uint64_t nodes = 0;
  TableStatistics statistics;
  double expected_overwrites = 0;  // added up position by position
};

// Searches of every position to `depth`, each with an empty table of `bytes` that replaces by
// `scheme` (TableReplacement).
TableBench RunTableBench(int depth, size_t bytes, int scheme);

// The behaviour of this engine in one number:
// RunBench(kSignatureNodes).signature. The same on every machine and from every
// compiler; a fraction of a second.
inline constexpr uint64_t kSignatureNodes = 3000;
uint64_t BenchSignature();

}  // namespace joseki
