#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/value.h"

namespace joseki {

// Techniques that count how often they act.
enum class Technique : uint8_t {
  kTableCut,
  kNullCut,
  kReverseFutility,
  kFutility,
  kRazoring,
  kProbCut,
  kLateMovePruning,
  kLateMoveReduction,
  kReductionRepeated,
  kSeePruning,
  kHistoryPruning,
  kCheckPruning,
  kDelta,
  kQuiescenceCheck,
  kHandRepetition,
  kMateInOne,
  kRootMate,
  kRootRefuted,
  kMateSearch,
  kMateVerdict,
  kMateFound,
  kInternalDeepening,
  kInternalReduction,
  kCheckExtension,
  kSingularTest,
  kSingularExtension,
  kMultiCut,
  kClassicSingular,
  kSingularMemory,
  kRecapture,
  kKingThreat,
  kPieceEscape,
  kForcedMove,
  kHalfPly,
  kHalfPlyPerfect,
  kHorizonSacrifice,
  kDeepSacrifice,
  kRegretMove,
  kKiller,
  kKillerQuiescence,
  kNullQuiescenceNode,
  kNullQuiescenceCut,
  kOlderTable,
  kRealization,
  kOrderGroup,
  kGroupSkipped,
  kEdgeAttack,
  kEdgeAttackExtension,
  kKillerKept,
  kNullQuiescenceDeepening,
  kNullQuiescenceFutility,
  kNullQuiescenceMaterial,
  kNullQuiescenceExtension,
  kNullQuiescenceSingular,
  kPartialBook,
  kTableStop,
  kCount,
};

inline constexpr size_t kTechniqueCount = static_cast<size_t>(Technique::kCount);

// Names of the techniques, in enum order.
std::span<const char* const> TechniqueNames();

// Counts how often each technique has acted since the last NewGame.
class Counts {
 public:
  void Clear() {
    counts_.fill(0);
    leaves_.fill(0);
  }
  void Fire(Technique t, uint64_t times = 1) { counts_[static_cast<size_t>(t)] += times; }
  uint64_t operator[](Technique t) const { return counts_[static_cast<size_t>(t)]; }
  uint64_t at(size_t i) const { return counts_[i]; }
  void Set(Technique t, uint64_t count) { counts_[static_cast<size_t>(t)] = count; }
  void Add(const Counts& other) {
    for (size_t i = 0; i < kTechniqueCount; ++i) counts_[i] += other.counts_[i];
    for (size_t i = 0; i < leaves_.size(); ++i) leaves_[i] += other.leaves_[i];
  }

  // Counts a leaf of the main search, where quiescence begins, at distance `ply` from the root.
  void Leaf(int ply) { ++leaves_[static_cast<size_t>(ply)]; }
  // Leaves by plies from the root (YSS's table 7).
  std::span<const uint64_t> leaves() const { return leaves_; }

 private:
  std::array<uint64_t, kTechniqueCount> counts_{};
  std::array<uint64_t, kMaxPly + 1> leaves_{};
};

}  // namespace joseki
