#pragma once

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "book/records/game_replay.h"

namespace joseki::book {

// Texts common to xiangqi records.

// A result as PGN writes it: "1-0" (Red won), "0-1", "1/2-1/2", "*"; nullopt for another word.
std::optional<End> EndOfResult(std::string_view word);

// OK for a FEN of the even start position, whatever its counters; else ParseFen's problem or
// "not_even_start".
absl::Status CheckEvenStart(std::string_view fen);

}  // namespace joseki::book
