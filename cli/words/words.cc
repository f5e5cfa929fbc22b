#include "cli/words/words.h"

#include <cstdint>

#include "cli/words/phrases.h"

namespace joseki::cli {
namespace {

constexpr Phrase kFixedWords[] = {
    phrase::kRunning,        phrase::kPaused,
    phrase::kDone,           phrase::kStopped,
    phrase::kFailed,         phrase::kActive,
    phrase::kSilent,         phrase::kDraining,
    phrase::kDrained,        phrase::kQuarantined,
    phrase::kRefused,        phrase::kOpen,
    phrase::kBest,           phrase::kEquivalent,
    phrase::kNoLegalMove,    phrase::kRepetition,
    phrase::kPerpetualCheck, phrase::kDeclaration,
    phrase::kMaxPlies,       phrase::kPerpetualChase,
    phrase::kNoCapture,      phrase::kNoAttackers,
    phrase::kResign,         phrase::kIllegalMove,
    phrase::kCrash,          phrase::kStall,
    phrase::kDisconnect,     phrase::kTimeForfeit,
    phrase::kInterrupted,    phrase::kInputBook,
    phrase::kInputFrequency, phrase::kBookless,
    phrase::kRunsOpponent,   phrase::kRunsOpponentByInput,
    phrase::kGamesPlayed,
};

}  // namespace

std::string WordText(const Voice& voice, std::string_view word) {
  for (const Phrase& phrase : kFixedWords) {
    if (phrase.english() == word) return voice.Say(phrase);
  }
  return std::string(word);
}

std::string PlaceText(const Voice& voice, const Rules& rules,
                      const std::optional<std::vector<Move>>& line, const std::string& position,
                      std::string_view start) {
  const auto state = rules.Start(start, MatchRules{});
  if (!line || !state.ok()) return voice.Say(phrase::kAtPosition, position);
  if (line->empty()) return voice.Say(phrase::kAtTheStart);
  return voice.Say(phrase::kAfterMoves, voice.LineText(rules, (*state)->packed(), *line));
}

std::string DurationText(const Voice& voice, absl::Duration duration) {
  const int64_t seconds = absl::ToInt64Seconds(duration + absl::Milliseconds(500));
  if (seconds < 60) return voice.Say(phrase::kSeconds, seconds);
  if (seconds < 3600) return voice.Say(phrase::kMinutes, seconds / 60, seconds % 60);
  return voice.Say(phrase::kHours, seconds / 3600, seconds % 3600 / 60);
}

}  // namespace joseki::cli
