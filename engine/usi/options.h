#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace joseki::usi {

// The values of the engine's USI options. One table in options.cc names each with its range; both
// the declaration and the reading of setoption follow it.
struct Options {
  int hash_mb = 64;     // USI_Hash: transposition table
  int mate_nodes = 0;   // Mate_Nodes: SearchLimits::mate_nodes
  bool ponder = false;  // USI_Ponder: whether bestmove names a move to ponder on

  // InvalidArgument "unknown_option" or "bad_option"; nothing changes then.
  absl::Status Set(std::string_view name, std::string_view value);
};

// The "option name ..." lines, each with its newline.
std::string DeclareOptions();

}  // namespace joseki::usi
