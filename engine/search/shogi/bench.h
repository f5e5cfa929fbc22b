#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/search/bench.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/shogi/engine_options.h"

namespace joseki {

// The fixed positions of the benchmark, as position texts: openings, middle
// games and endings.
std::span<const char* const> BenchPositions();

// Searches every position with `nodes` nodes, each from a fresh table, and some positions near
// their end with 10,000 if that is more.
BenchResult RunBench(uint64_t nodes, const shogi::EngineOptions& options = {});

// The effective rates of each kind of J. Hashimoto's killers, each searched for
// itself and tried before all other moves, over `positions`, or those of the bench
// where there are none, with `nodes` nodes each.
KillerRates RunKillerBench(uint64_t nodes, std::span<const shogi::Position> positions = {});

// Searches of every position to `depth`, each with an empty table of `bytes` that replaces by
// `scheme` (TableReplacement).
TableBench RunTableBench(int depth, size_t bytes, int scheme);

// The behaviour of this engine in one number: RunBench(kSignatureNodes).signature. Equal on every
// machine and from every compiler.
uint64_t BenchSignature();

}  // namespace joseki
