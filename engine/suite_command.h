#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine suite.
struct SuiteArguments {
  std::string game = "shogi";
  std::string file;
  uint64_t nodes = 0;  // for each position; 0: 10,000 if no other limit is given
  int depth = 0;       // for each position; 0: no limit
  int move_ms = 0;     // for each position; 0: no limit
  int hash_mb = 16;
  int hash_kib = 0;              // used instead of hash_mb for smaller tables; 0: not given
  int window = 300;              // half width of the score window around an expected value
  std::vector<std::string> set;  // NAME=VALUE search options
  bool json = false;             // print one JSON object
};

// Searches each position of a tab-separated file. Counts how often the move is among the expected
// ones, or outside the moves to avoid. The header names the columns:
//   sfen     or fen, in xiangqi
//   moves    moves, separated by commas; the moves to avoid if a column `kind` says "bad"
//   answers  or: lines of moves, separated by |; the first move of each counts
//   value    optional: the expected score; a hit is a success if the score is within the window
// An unreadable row is reported on `err` and counted as rejected.
//
// Prints a row for each position, then totals: hits and successes (C. Ye's H and S), nodes, nodes a
// second by the clock, and the mean share of nodes spent on the chosen move. Then come the growth
// of nodes between iterations, and the distances from the root at which the main search ended, in
// percent. The JSON object also has the nodes of each root move in the last iteration.
absl::Status RunSuite(const SuiteArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace joseki
