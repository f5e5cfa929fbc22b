#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/usi/protocol.h"

namespace joseki::usi {

// The options that the engine of every game has, under the names that the protocol gives them.
struct CommonOptions {
  int hash_mb = 64;     // transposition table
  int lines = 1;        // SearchLimits::lines
  int threads = 1;      // that search
  bool ponder = false;  // whether bestmove names a move to ponder on

  static bool Has(const Protocol& protocol, std::string_view name);
  // InvalidArgument "bad_option"; nothing changes then. REQUIRES: Has(protocol, name).
  absl::Status Set(const Protocol& protocol, std::string_view name, std::string_view value,
                   int most_lines);
};

// The "option ..." lines. `most_lines`: as many as a position of the game has moves.
std::string DeclareCommonOptions(const Protocol& protocol, int most_lines);

}  // namespace joseki::usi
