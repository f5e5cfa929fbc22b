#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine learn moves.
struct LearnMovesArguments {
  std::vector<std::string> games;  // files of games, one on each line
  std::string out;                 // weights
  std::string state;               // state of the learning, for resuming
  int rounds = 30;
  int held_out = 10;  // one game in this many is held out
  double width = 60;  // width of the sigmoid by which a move counts as better, in points
  double penalty = 2e-5;
  int step = 16;  // initial step of a weight, in eighths of a point
  int threads = 1;
  std::string part;         // "I/N": this process has the I-th of N parts; empty: it has all
  std::string folder;       // where the parts meet
  int wait_seconds = 3600;  // how long a round waits for the other parts
};

// Learns from the moves of games (engine/shogi/learn/bonanza.h) until no step improves. Writes
// weights and state after each round. Prints the objective and the agreement with the moves, for
// training games and games held out. With `part`, N processes share the searches of each round and
// meet in `folder` (engine/shogi/learn/part_folder.h). All of them write the weights that one
// process would. "bad_part_number" for a text that is no part. REQUIRES: `part` has a `folder`.
absl::Status LearnMoves(const LearnMovesArguments& arguments, std::ostream& out);

}  // namespace joseki
