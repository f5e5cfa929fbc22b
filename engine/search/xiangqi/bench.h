#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/search/bench.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/xiangqi/engine_options.h"

// The benchmark of xiangqi, like that of shogi (engine/search/shogi/bench.h).
namespace joseki::xiangqi {

// The fixed positions of the benchmark, as FEN: openings, middle games and endings.
std::span<const char* const> BenchPositions();

// Searches every position with `nodes` nodes, each with an empty table; composed mates get at least
// 10,000 nodes.
BenchResult RunBench(uint64_t nodes, const EngineOptions& options = {});
KillerRates RunKillerBench(uint64_t nodes, std::span<const Position> positions = {});
TableBench RunTableBench(int depth, size_t bytes, int scheme);

// RunBench(kSignatureNodes).signature.
uint64_t BenchSignature();

}  // namespace joseki::xiangqi
