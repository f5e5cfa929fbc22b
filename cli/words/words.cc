#include "cli/words/words.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/words/page_phrases.h"
#include "cli/words/phrases.h"
#include "cli/words/run_phrases.h"
#include "cli/words/sentences.h"

namespace joseki::cli {
namespace {

constexpr Phrase kFixedWords[] = {
    phrase::kRunning,
    phrase::kPaused,
    phrase::kDone,
    phrase::kStopped,
    phrase::kFailed,
    phrase::kActive,
    phrase::kSilent,
    phrase::kDraining,
    phrase::kDrained,
    phrase::kQuarantined,
    phrase::kFaulty,
    phrase::kRefused,
    phrase::kOpen,
    phrase::kBest,
    phrase::kEquivalent,
    phrase::kNoLegalMove,
    phrase::kRepetition,
    phrase::kPerpetualCheck,
    phrase::kDeclaration,
    phrase::kMaxPlies,
    phrase::kPerpetualChase,
    phrase::kNoCapture,
    phrase::kNoAttackers,
    phrase::kResign,
    phrase::kIllegalMove,
    phrase::kCrash,
    phrase::kStall,
    phrase::kDisconnect,
    phrase::kTimeForfeit,
    phrase::kInterrupted,
    phrase::kInputBook,
    phrase::kInputFrequency,
    phrase::kBookless,
    phrase::kRunsOpponent,
    phrase::kRunsOpponentByInput,
    phrase::kGamesPlayed,
    phrase::kEngine,
    phrase::kTrials,
    phrase::kSearches,
    phrase::kGames,
    phrase::kValue,
    phrase::kWeight,
};

// The values that turn the phrase's English into `text`, in the order of their numbers, each as
// short as possible. nullopt if none do.
std::optional<std::vector<std::string>> ValuesIn(const Phrase& phrase, std::string_view text) {
  std::vector<std::string> values;
  std::string_view rest = phrase.english();
  size_t value = std::string_view::npos;  // start of the value that is being read; npos: none
  size_t at = 0;
  for (bool first = true; first || !rest.empty(); first = false) {
    const size_t place = rest.find('$');
    const std::string_view literal = rest.substr(0, place);
    const bool last = place == std::string_view::npos;
    const size_t found =
        last && text.ends_with(literal) ? text.size() - literal.size() : text.find(literal, at);
    if (found == std::string_view::npos || found < at) return std::nullopt;
    if (value == std::string_view::npos && found != 0) return std::nullopt;
    if (value != std::string_view::npos) values.emplace_back(text.substr(value, found - value));
    at = found + literal.size();
    if (last) return at == text.size() ? std::optional(std::move(values)) : std::nullopt;
    value = at;
    rest.remove_prefix(place + 2);
  }
  values.emplace_back(text.substr(value));
  return values;
}

// The translation of a known sentence; empty if it is unknown.
std::string KnownSentence(const Voice& voice, std::string_view sentence) {
  for (const Phrase& phrase : phrase::kSentences) {
    const auto values = ValuesIn(phrase, sentence);
    if (!values) continue;
    std::vector<std::pair<std::string, std::string>> told;
    for (const std::string& value : *values) {
      told.emplace_back(absl::StrCat("$", told.size()), SentenceText(voice, value));
    }
    return absl::StrReplaceAll(std::string(phrase.japanese()), told);
  }
  return "";
}

}  // namespace

std::string WordText(const Voice& voice, std::string_view word) {
  for (const Phrase& phrase : kFixedWords) {
    if (phrase.english() == word) return voice.Say(phrase);
  }
  return std::string(word);
}

std::string SentenceText(const Voice& voice, std::string_view sentence) {
  if (voice.language() == Language::kEnglish) return std::string(sentence);
  if (std::string known = KnownSentence(voice, sentence); !known.empty()) return known;
  if (sentence.find("; ") == std::string_view::npos) return WordText(voice, sentence);
  std::string all;
  for (const std::string& part :
       std::vector<std::string>(absl::StrSplit(std::string(sentence), "; "))) {
    absl::StrAppend(&all, all.empty() ? "" : "。", SentenceText(voice, part));
  }
  return all;
}

std::string PlaceText(const Voice& voice, const Rules& rules,
                      const std::optional<std::vector<Move>>& line, const std::string& position,
                      std::string_view start) {
  const auto state = rules.Start(start, MatchRules{});
  if (!line || !state.ok()) return voice.Say(phrase::kAtPosition, position);
  if (line->empty()) return voice.Say(phrase::kAtTheStart);
  return voice.Say(phrase::kAfterMoves, voice.LineText(rules, (*state)->packed(), *line));
}

std::string TimeText(int64_t ms) {
  return absl::FormatTime("%Y-%m-%d %H:%M UTC", absl::FromUnixMillis(ms), absl::UTCTimeZone());
}

std::string DurationText(const Voice& voice, absl::Duration duration) {
  const int64_t seconds = absl::ToInt64Seconds(duration + absl::Milliseconds(500));
  if (seconds < 60) return voice.Say(phrase::kSeconds, seconds);
  if (seconds < 3600) return voice.Say(phrase::kMinutes, seconds / 60, seconds % 60);
  return voice.Say(phrase::kHours, seconds / 3600, seconds % 3600 / 60);
}

}  // namespace joseki::cli
