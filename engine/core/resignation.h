#pragma once

#include <cstdint>
#include <span>

#include "base/rng.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki {

// The value in place of a score that the engine did not give.
inline constexpr int16_t kNoScore = INT16_MIN;

// An engine's score in 16 bits, from the side to move, as games keep it.
constexpr int16_t ClampScore(int score) {
  if (score == kNoScore) return kNoScore;
  return static_cast<int16_t>(score > INT16_MAX    ? INT16_MAX
                              : score < -INT16_MAX ? -INT16_MAX
                                                   : score);
}

// When a side gives up: its own score was -`below` centipawns or worse at `moves` of its choices in
// a row. Some slots are played on all the same, which shows how often the rule would have been
// wrong.
struct ResignRule {
  uint32_t below = 0;            // 0: nobody resigns by score
  uint32_t moves = 0;            // at least 1 with `below`
  uint32_t play_on_percent = 0;  // of the slots
  bool operator==(const ResignRule&) const = default;
};

// True if the game of a slot with this seed is played on. A function of its arguments alone.
constexpr bool PlaysOn(const ResignRule& rule, uint64_t seed) {
  constexpr uint64_t kStream = 0x72657369676e;  // other chance than that of the plies
  return Rng(seed).Split(kStream).Below(100) < rule.play_on_percent;
}

// Follows the scores of one game.
class ResignWatch {
 public:
  explicit constexpr ResignWatch(const ResignRule& rule) : rule_(rule) {}

  // The next choice, by `side`; whether the rule says now that it resigns.
  constexpr bool Add(Color side, int16_t score) {
    uint32_t& low = low_[Index(side)];
    low = score != kNoScore && score <= -static_cast<int64_t>(rule_.below) ? low + 1 : 0;
    return rule_.below > 0 && low >= rule_.moves;
  }

 private:
  ResignRule rule_;
  uint32_t low_[2] = {0, 0};
};

// A finished game's verdict on the rule. Values are stored: never renumber.
enum class ResignCheck : uint8_t {
  kNone = 0,   // nobody would have resigned, or somebody did
  kRight = 1,  // the side that would have resigned has lost
  kWrong = 2,
};

// `scores` are those of the choices from `first` on, sides in turn.
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
