#pragma once

#include <iosfwd>
#include <string>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine perft.
struct PerftArguments {
  std::string game = "shogi";
  int depth = -1;                 // -1: not given
  std::string sfen = "startpos";  // or a FEN
  bool split = false;             // also print the count of each first move
  int threads = 1;                // first moves are shared between them
  std::string compare;            // a file of counts or lists (engine/perft_file.h); empty: none
  bool checks = false;            // its lists contain checking moves only
  bool json = false;              // print one JSON object
};

// Counts moves, or compares every row of a file. Results go to `out`, progress of long work to
// `err`. A row that differs is a problem ("perft_mismatch") with its line, returned after all rows
// have been compared.
absl::Status RunPerft(const PerftArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace joseki
