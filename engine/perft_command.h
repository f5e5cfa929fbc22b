#pragma once

#include <iosfwd>
#include <string>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine perft: what the command line says.
struct PerftArguments {
  std::string game = "shogi";
  int depth = -1;                 // -1: not given
  std::string sfen = "startpos";  // or the FEN
  bool split = false;             // also the count below each move
  int threads = 1;                // over the first moves
  std::string compare;            // a file of counts or lists (engine/perft_file.h); empty: none
  bool checks = false;            // its lists are of checking moves
  bool json = false;              // one object on `out`
};

// Counts, or compares every row of the file; results go to `out`, progress of longer work to `err`.
// A row that differs is a problem ("perft_mismatch") with its line, returned after all are
// compared.
absl::Status RunPerft(const PerftArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace joseki
