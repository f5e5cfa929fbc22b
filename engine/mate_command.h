#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine mate.
struct MateArguments {
  std::string game = "shogi";
  std::vector<std::string> sfens;  // or FENs; empty: read `file`
  std::string file;                // empty: standard input
  uint64_t nodes = 0;              // for each position; 0: no limit
  double seconds = 0;              // for each position; 0: no limit
  int plies = 0;                   // 0: by proof numbers; otherwise by depth, up to this many plies
  unsigned cuts = 0;               // moves that the search by depth leaves out (MateCut)
  int hash_mb = 64;
  bool json = false;  // print one JSON object
};

// Searches each position for a mate; prints verdict, plies, nodes, milliseconds and line. Results
// go to `out`, progress of long work to `err`. A file holds an SFEN (FEN) on each line. If it is
// tab-separated with a header that begins with "sfen" ("fen"), the first column is used. Columns
// "expect" (mate_in or no_mate_within) and "plies" give known answers; contradictions are counted
// as wrong. All positions are parsed before any is searched.
absl::Status RunMate(const MateArguments& arguments, std::istream& in, std::ostream& out,
                     std::ostream& err);

}  // namespace joseki
