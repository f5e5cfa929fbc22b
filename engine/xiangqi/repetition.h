#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/game.h"
#include "engine/core/outcome.h"
#include "engine/xiangqi/position.h"

// How a game ends by what went before: docs/xiangqi.md has the rules in words.
namespace joseki::xiangqi {

// What becomes of a position that comes back. Numbers are stable: they may be stored.
enum class RepetitionRule : uint8_t {
  kDraw = 0,   // a draw
  kAsian = 1,  // who alone gives check all along loses, else who alone chases one piece all along
  kCheck = 2,  // who alone gives check all along loses
};

// "draw", "asian", "check"; nullopt for an unknown word.
std::string_view Name(RepetitionRule rule);
std::optional<RepetitionRule> RepetitionRuleOf(std::string_view name);

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
