#pragma once

#include <cstdint>
#include <span>

#include "base/rng.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki {

// Stands for a missing score.
inline constexpr int16_t kNoScore = INT16_MIN;

// An engine's score for the side to move, clamped to the 16 bits in which games store it.
constexpr int16_t ClampScore(int score) {
  if (score == kNoScore) return kNoScore;
  return static_cast<int16_t>(score > INT16_MAX    ? INT16_MAX
                              : score < -INT16_MAX ? -INT16_MAX
                                                   : score);
}

// When a side resigns: its own score was at most -`below` centipawns at `moves` successive choices
// of its own. Some slots are played on regardless, to measure how often the rule would be wrong.
struct ResignRule {
  uint32_t below = 0;            // centipawns; 0: no resignation by score
  uint32_t moves = 0;            // at least 1 if `below` is set
  uint32_t play_on_percent = 0;  // percentage of the slots
  bool operator==(const ResignRule&) const = default;
};

// True if the game of a slot with this seed is played on. Pure.
constexpr bool PlaysOn(const ResignRule& rule, uint64_t seed) {
  // Label of a random stream separate from those of the plies.
  constexpr uint64_t kStream = 0x72657369676e;
  return Rng(seed).Split(kStream).Below(100) < rule.play_on_percent;
}

// Follows the scores of one game.
class ResignWatch {
 public:
  explicit constexpr ResignWatch(const ResignRule& rule) : rule_(rule) {}

  // Adds the next choice, made by `side`; returns whether the rule now says that it resigns.
  constexpr bool Add(Color side, int16_t score) {
    uint32_t& low = low_[Index(side)];
    low = score != kNoScore && score <= -static_cast<int64_t>(rule_.below) ? low + 1 : 0;
    return rule_.below > 0 && low >= rule_.moves;
  }

 private:
  ResignRule rule_;
  uint32_t low_[2] = {0, 0};
};

// Verdict of a finished game on the rule. Values are stored: never renumber them.
enum class ResignCheck : uint8_t {
  kNone = 0,   // the rule never applied, or a side did resign
  kRight = 1,  // the side that would have resigned lost
  kWrong = 2,
};

// `scores` are those of the successive choices, by alternating sides beginning with `first`.
constexpr ResignCheck CheckResignation(const ResignRule& rule, Color first,
                                       std::span<const int16_t> scores, const Ending& ending) {
  if (IsFault(ending.termination) || ending.termination == Termination::kResign) {
    return ResignCheck::kNone;
  }
  ResignWatch watch(rule);
  Color side = first;
  for (const int16_t score : scores) {
    if (watch.Add(side, score)) {
      return ending.result == WinFor(~side) ? ResignCheck::kRight : ResignCheck::kWrong;
    }
    side = ~side;
  }
  return ResignCheck::kNone;
}

}  // namespace joseki
