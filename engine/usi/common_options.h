#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/usi/protocol.h"

namespace joseki::usi {

// Options that the engine of every game has, under the protocol's names.
struct CommonOptions {
  int hash_mb = 64;     // size of the transposition table, MiB
  int lines = 1;        // SearchLimits::lines
  int threads = 1;      // search threads
  bool ponder = false;  // whether bestmove includes a ponder move
  // PonderReplies: further replies of the other side to ponder on, after the one that is expected.
  int ponder_replies = 0;
  int ponder_ms = 5000;  // PonderMs: for each of them, if there are any

  static bool Has(const Protocol& protocol, std::string_view name);
  // InvalidArgument "bad_option", without any change. REQUIRES: Has(protocol, name).
  absl::Status Set(const Protocol& protocol, std::string_view name, std::string_view value,
                   int most_lines);
};

// The "option ..." lines. `most_lines`: largest number of moves of any position of the game.
std::string DeclareCommonOptions(const Protocol& protocol, int most_lines);

}  // namespace joseki::usi
