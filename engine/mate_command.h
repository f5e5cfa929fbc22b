#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine mate: what the command line says.
struct MateArguments {
  std::string game = "shogi";
  std::vector<std::string> sfens;  // or FENs; empty: those of `file`
  std::string file;                // empty: standard input
  uint64_t nodes = 0;              // a position; 0: no limit
  double seconds = 0;              // a position; 0: no limit
  int plies = 0;                   // 0: by proof numbers; else by depth, to so many
  unsigned cuts = 0;               // what that leaves out (MateCut)
  int hash_mb = 64;
  bool json = false;  // one object on `out`
};

// Looks for a mate in each position and prints verdict, plies, nodes, milliseconds and line;
// results go to `out`, progress of longer work to `err`. A file holds an SFEN (FEN) a line; of a
// tab-separated one with a header that begins with "sfen" ("fen") the first column counts, and
// where it has columns "expect" (mate_in or no_mate_within) and "plies", what contradicts them is
// counted as wrong. Every position is read before any is searched.
absl::Status RunMate(const MateArguments& arguments, std::istream& in, std::ostream& out,
                     std::ostream& err);

}  // namespace joseki
