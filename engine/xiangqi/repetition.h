#pragma once

#include "engine/core/game.h"
#include "engine/core/outcome.h"
#include "engine/xiangqi/position.h"

// How a game ends by what went before: docs/reference/xiangqi.md has the rules in words.
namespace joseki::xiangqi {

// At the occurrence of this number, the first counted, a referee ends the game; a search, for which
// who can repeat once can repeat again, goes no further at the second.
inline constexpr int kDecidingOccurrence = 3;
inline constexpr int kDecidingOccurrenceInSearch = 2;

// Plies without a capture that make a draw (QuietPlies says which count).
inline constexpr int kMostQuietPlies = 120;

// What ends the game, from the side to move: an outcome that is not kNone and why, or neither.
struct HistoryVerdict {
  Repetition outcome = Repetition::kNone;
  Termination reason = Termination::kNone;
  bool operator==(const HistoryVerdict&) const = default;
};

// What `rule` says of a position that stands on the board for the `occurrences`-th time; nothing if
// it has not yet. Judged is all that was played since the first of these occurrences.
HistoryVerdict JudgeRepetition(const Position& position, RepetitionRule rule, int occurrences);

// The same, and after it what ends a game under every rule: 120 plies without a capture, or no
// piece left on either side that could cross the river. Both are draws. A side that is mated has
// lost before: the caller asks for that first.
HistoryVerdict JudgeHistory(const Position& position, RepetitionRule rule, int occurrences);

// As the search asks (GameRules in engine/core/game.h).
inline Repetition CheckRepetition(const Position& position, RepetitionRule rule) {
  return JudgeHistory(position, rule, kDecidingOccurrenceInSearch).outcome;
}

}  // namespace joseki::xiangqi
