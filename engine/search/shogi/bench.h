#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/search/bench.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/shogi/engine_options.h"

namespace joseki {

// The fixed positions of the benchmark, as position texts: openings, middle games and endings.
std::span<const char* const> BenchPositions();

// Searches every position with `nodes` nodes, each with an empty table; positions near a mate get
// at least 10,000 nodes.
BenchResult RunBench(uint64_t nodes, const shogi::EngineOptions& options = {});

// The effective rates of each kind of J. Hashimoto's killers, each searched alone and tried before
// all other moves, with `nodes` nodes for each position. Uses the bench positions if `positions` is
// empty.
KillerRates RunKillerBench(uint64_t nodes, std::span<const shogi::Position> positions = {});

// Searches every position to `depth`, each with an empty table of `bytes` and the replacement
// `scheme` (TableReplacement).
TableBench RunTableBench(int depth, size_t bytes, int scheme);

// The engine's behaviour in one number: RunBench(kSignatureNodes).signature. Equal on every machine
// and from every compiler.
uint64_t BenchSignature();

}  // namespace joseki
