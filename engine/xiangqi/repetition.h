#pragma once

#include "engine/core/game.h"
#include "engine/core/outcome.h"
#include "engine/xiangqi/position.h"

// Endings that depend on the game's history; docs/reference/xiangqi.md states the rules.
namespace joseki::xiangqi {

// Occurrence at which a referee ends the game, counting the first. A search stops at the second,
// since a side that can repeat once can repeat again.
inline constexpr int kDecidingOccurrence = 3;
inline constexpr int kDecidingOccurrenceInSearch = 2;

// Plies without a capture that make a draw (QuietPlies says which count).
inline constexpr int kMostQuietPlies = 120;

// The end of the game for the side to move: an outcome with its reason, or kNone with no reason.
struct HistoryVerdict {
  Repetition outcome = Repetition::kNone;
  Termination reason = Termination::kNone;
  bool operator==(const HistoryVerdict&) const = default;
};

// Verdict of `rule` on a position that has occurred `occurrences` times; empty if it has not. All
// moves since the first of these occurrences are judged.
HistoryVerdict JudgeRepetition(const Position& position, RepetitionRule rule, int occurrences);

// JudgeRepetition, followed by the draws under every rule: 120 plies without a capture, or no piece
// left on either side that can cross the river. A mated side has lost first: the caller tests that
// before.
HistoryVerdict JudgeHistory(const Position& position, RepetitionRule rule, int occurrences);

// The search's form of JudgeRepetition (Game in engine/core/game.h).
inline Repetition CheckRepetition(const Position& position, RepetitionRule rule) {
  return JudgeHistory(position, rule, kDecidingOccurrenceInSearch).outcome;
}

}  // namespace joseki::xiangqi
