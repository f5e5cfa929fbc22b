#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine suite: what the command line says.
struct SuiteArguments {
  std::string game = "shogi";
  std::string file;
  uint64_t nodes = 0;  // a position; with `depth` 0 too: 10,000
  int depth = 0;       // a position; 0: no limit
  int hash_mb = 16;
  int hash_kib = 0;              // instead of hash_mb: tables smaller than that; 0: not given
  int window = 300;              // half width of the score window round an expected value
  std::vector<std::string> set;  // NAME=VALUE of the search's options
  bool json = false;             // one object on `out`
};

// Searches each position of a tab-separated file and counts how often the move is one that it
// should be, or is not one that it should not be. The header names the columns:
//   sfen     or fen, in xiangqi
//   moves    moves, separated by commas; with a column `kind` that says "bad", those to avoid
//   answers  or: lines of moves, separated by |; the first move of each counts
//   value    optional: the expected score; a hit is a success if the score is within the window
// What cannot be read is told on `err`, counted as rejected, and the next row is read.
// Prints a row for each position, then hits and successes (C. Ye's H and S), nodes, the mean share
// of the nodes that went to the chosen move, the growth of nodes from one iteration to the next,
// and in percent by plies from the root where the main search ended. As one object also what each
// move of the root took in the last iteration.
absl::Status RunSuite(const SuiteArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace joseki
