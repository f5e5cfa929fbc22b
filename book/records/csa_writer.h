#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/outcome.h"
#include "engine/core/types.h"

namespace joseki::book {

struct CsaGame {
  std::string_view event;  // one line of text, or empty
  std::string_view start = "startpos";
  std::span<const Move> moves;
  Ending ending;
};

// The game as a CSA record (V2.2) that ReadCsa reads back, without a separator at its end. A game
// that a fault ended is %CHUDAN, with the fault as a comment: it was no loss. InvalidArgument where
// the start is no position or a move is not legal.
absl::StatusOr<std::string> WriteCsa(const CsaGame& game);

}  // namespace joseki::book
