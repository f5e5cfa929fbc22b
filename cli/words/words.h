#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "cli/words/voice.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The text for people of a fixed word of the protocol. Such words name the state of a run or
// worker, a position's standing, the end of a run or game, or a proof's opponent. An unknown word
// is returned unchanged.
std::string WordText(const Voice& voice, std::string_view word);
// The text for people of a sentence of another room (cli/words/sentences.h) with its values, or of
// several joined by "; ". Unknown sentences and fixed words are returned unchanged.
std::string SentenceText(const Voice& voice, std::string_view sentence);

// The place of a position, by the moves of a line from the start position: "after 7g7f 3c3d". An
// empty line gives "at the start", an unknown one `position`.
std::string PlaceText(const Voice& voice, const Rules& rules,
                      const std::optional<std::vector<Move>>& line, const std::string& position,
                      std::string_view start = "startpos");

// "2026-01-31 23:59 UTC", of Unix milliseconds.
std::string TimeText(int64_t ms);
// "3 s", "2 min 5 s", "1 h 12 min".
std::string DurationText(const Voice& voice, absl::Duration duration);

}  // namespace joseki::cli
