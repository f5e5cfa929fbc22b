#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// joseki-engine bench: what the command line says.
struct BenchArguments {
  std::string game = "shogi";
  uint64_t nodes = 200000;       // a position
  std::vector<std::string> set;  // NAME=VALUE of the search's options; the signature is without
  bool killers = false;          // how often each kind of killer was best or cut, instead
  std::string positions;         // of `killers`: a file with one a line; empty: the fixed ones
  bool table = false;            // what happens in the transposition table, instead
  int depth = 6;                 // of the searches of `table`
  bool json = false;             // one object on `out`
};

// Searches the fixed positions of the game and prints speed and signature to `out`.
absl::Status RunBenchCommand(const BenchArguments& arguments, std::ostream& out);

}  // namespace joseki
