#pragma once

#include <iosfwd>
#include <string>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine eval.
struct EvalArguments {
  std::string game = "shogi";
  std::string position = "startpos";  // or an SFEN, in xiangqi a FEN
  std::string weights;  // file of shogi's learned evaluation; empty: the built-in weights
  bool json = false;    // print one JSON object
};

// Prints the static evaluation of a position to `out`. Shogi is printed term by term; xiangqi as
// the value and C. Ye's material.
absl::Status RunEval(const EvalArguments& arguments, std::ostream& out);

}  // namespace joseki
