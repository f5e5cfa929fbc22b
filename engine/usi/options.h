#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/usi/extended_book_port.h"
#include "engine/usi/own_book.h"
#include "engine/usi/partial_book_port.h"

namespace joseki::usi {

inline constexpr char kBuiltInWeights[] = "built_in";

// The values of the engine's USI options. Tables name each with its range: one in options.cc, and
// those of EngineOptions; both the declaration and the reading of setoption follow them.
struct Options {
  int hash_mb = 64;     // USI_Hash: transposition table
  int multi_pv = 1;     // MultiPV: SearchLimits::lines
  int threads = 1;      // Threads: that search
  bool ponder = false;  // USI_Ponder: whether bestmove names a move to ponder on
  // WeightsFile: of the learned evaluation; kBuiltInWeights for those that the program carries
  std::string weights_file = kBuiltInWeights;
  shogi::EngineOptions engine;  // one option for each row of its tables
  BookOptions book;             // those of a book of its own
  ExtendedBookOptions extended;
  std::string partial_file = kNoPartialBook;  // PartialBook: of moves of positions that are alike

  // InvalidArgument "unknown_option" or "bad_option"; nothing changes then.
  absl::Status Set(std::string_view name, std::string_view value);
};

// The "option name ..." lines, each with its newline.
std::string DeclareOptions();

}  // namespace joseki::usi
