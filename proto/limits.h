#pragma once

#include <cstddef>
#include <cstdint>

// Bounds of what the protocol carries, for who sends, who reads and who checks it
// (proto/joseki/v1/*.proto say them beside the fields).
namespace joseki {

inline constexpr size_t kMaxFaultBytes = 500;
inline constexpr size_t kMaxGameMoves = 2000;
inline constexpr uint32_t kMaxDepth = 1000;
inline constexpr uint32_t kMaxScore = 32000;
inline constexpr uint32_t kMaxMoveMs = 600000;
inline constexpr uint32_t kMaxBookPlies = 500;
inline constexpr uint32_t kMaxSlotsPerWorker = 1024;
inline constexpr uint32_t kMaxMemoryMb = 1 << 24;
inline constexpr uint32_t kMaxCores = 1024;
inline constexpr size_t kMaxSubmitBytes = 1 << 20;
inline constexpr uint32_t kMaxGamesPerList = 100000;

}  // namespace joseki
