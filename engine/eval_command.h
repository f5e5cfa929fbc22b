#pragma once

#include <iosfwd>
#include <string>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine eval: what the command line says.
struct EvalArguments {
  std::string game = "shogi";
  std::string position = "startpos";  // or an SFEN, of xiangqi a FEN
  std::string weights;                // of shogi's learned evaluation; empty: those built in
  bool json = false;                  // one object on `out`
};

// Prints the static evaluation of a position to `out`: of shogi term by term, of xiangqi the value
// and C. Ye's material.
absl::Status RunEval(const EvalArguments& arguments, std::ostream& out);

}  // namespace joseki
