#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "cli/words/voice.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// A fixed word of the protocol as people are told it: of the state of a run or worker, of a
// position's standing, of why a run or a game ended, or of a proof's opponent. One that is unknown
// here stays.
std::string WordText(const Voice& voice, std::string_view word);
// A sentence of another room (cli/words/sentences.h) as people are told it, its values likewise, or
// several of them with "; " between. One that is unknown here stays, as does a fixed word.
std::string SentenceText(const Voice& voice, std::string_view sentence);

// Where a position is: "after 7g7f 3c3d" by the moves of a line from the start position, "at the
// start" for none, or `position` where no line is known.
std::string PlaceText(const Voice& voice, const Rules& rules,
                      const std::optional<std::vector<Move>>& line, const std::string& position,
                      std::string_view start = "startpos");

// "3 s", "2 min 5 s", "1 h 12 min".
std::string DurationText(const Voice& voice, absl::Duration duration);

}  // namespace joseki::cli
