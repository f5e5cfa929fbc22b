#pragma once

#include "engine/core/game.h"
#include "engine/core/outcome.h"
#include "engine/xiangqi/position.h"

// Endings by the game's past: docs/reference/xiangqi.md has the rules in words.
namespace joseki::xiangqi {

// At the occurrence of this number, the first counted, a referee ends the game. A search stops at
// the second, since a side that can repeat once can repeat again.
inline constexpr int kDecidingOccurrence = 3;
inline constexpr int kDecidingOccurrenceInSearch = 2;

// Plies without a capture that make a draw (QuietPlies says which count).
inline constexpr int kMostQuietPlies = 120;

// The end of the game, from the side to move: an outcome that is not kNone and its reason, or
// neither.
struct HistoryVerdict {
  Repetition outcome = Repetition::kNone;
  Termination reason = Termination::kNone;
  bool operator==(const HistoryVerdict&) const = default;
};

// The verdict of `rule` on a position that stands on the board for the `occurrences`-th time;
// nothing if it has not yet. All moves since the first of these occurrences are judged.
HistoryVerdict JudgeRepetition(const Position& position, RepetitionRule rule, int occurrences);

// That verdict, and after it the endings under every rule: 120 plies without a capture, or no piece
// left on either side that could cross the river. Both are draws. A side that is mated has lost
// before: the caller tests that first.
HistoryVerdict JudgeHistory(const Position& position, RepetitionRule rule, int occurrences);

// The search's form of it (Game in engine/core/game.h).
inline Repetition CheckRepetition(const Position& position, RepetitionRule rule) {
  return JudgeHistory(position, rule, kDecidingOccurrenceInSearch).outcome;
}

}  // namespace joseki::xiangqi
