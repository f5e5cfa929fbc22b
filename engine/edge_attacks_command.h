#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace joseki {

// Arguments of the command joseki-engine edge-attacks.
struct EdgeAttacksArguments {
  std::vector<std::string> files;  // games, one a line as in USI's "position"
  std::string book;                // positions of this book are left out; empty: none are
  int depth = 4;                   // of the searches that tell a forced move, 1 or more
};

// Collects from games the positions in which TACOS's study asks whether an edge attack begins. They
// are ripe (engine/search/shogi/edge_attack.h), not in the book, and with a choice. The move played
// was forced if it is worth over 800, about a lance, more than the attack's first move. (The
// thesis's sentence can be read otherwise.) Prints a file for joseki-engine suite, a row each: the
// position, the attack's first move, and "good" if it was played, else "bad". The suite then counts
// where the attack is begun. The number of positions left out, with the reason, goes to `err`.
absl::Status CollectEdgeAttacks(const EdgeAttacksArguments& arguments, std::ostream& out,
                                std::ostream& err);

}  // namespace joseki
