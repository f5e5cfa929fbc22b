#pragma once

#include <cstdint>
#include <span>

#include "engine/search/options.h"
#include "engine/search/xiangqi/default_options.h"

namespace joseki::xiangqi {

// The fixed positions of xiangqi's benchmark, as FEN: openings, middle games and endings.
std::span<const char* const> BenchPositions();

struct BenchResult {
  uint64_t nodes = 0;
  // Follows from every position's nodes, depth, move and value: two engines that decide alike have
  // the same. Below 2^48, so that it survives as a JSON number; never 0.
  uint64_t signature = 0;
};

// Searches every position with `nodes` nodes, each from a fresh table, and some composed mates with
// 10,000 if that is more.
BenchResult RunBenchWith(const SearchOptions& options, uint64_t nodes);

// The behaviour of this engine in one number: RunBenchWith(kDefaultOptions,
// kSignatureNodes).signature. The same on every machine and from every compiler; a fraction of a
// second.
inline constexpr uint64_t kSignatureNodes = 3000;
uint64_t BenchSignature();

}  // namespace joseki::xiangqi
