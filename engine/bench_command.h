#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine bench.
struct BenchArguments {
  std::string game = "shogi";
  uint64_t nodes = 200000;       // for each position
  std::vector<std::string> set;  // NAME=VALUE search options; the signature is defined without any
  bool killers = false;          // measure instead how often each kind of killer was best or cut
  // For `killers`: a file with one position on each line; empty: the fixed ones.
  std::string positions;
  bool table = false;  // measure the transposition table instead
  int depth = 6;       // depth of the searches of `table`
  bool json = false;   // print one JSON object
};

// Searches the fixed positions of the game and prints speed and signature to `out`.
absl::Status RunBenchCommand(const BenchArguments& arguments, std::ostream& out);

}  // namespace joseki
