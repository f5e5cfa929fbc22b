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

// Collects from games the positions in which TACOS's study asks whether an edge attack begins:
// those that are ripe (engine/search/shogi/edge_attack.h), not in the book, and with a choice.
// Where the move that was played is worth more than 800 above the first move of the attack, about a
// lance, it was forced. (The thesis's sentence can be read otherwise.) Prints a file for
// joseki-engine suite, a row each: the position, the attack's first move, and "good" where it was
// played, else "bad". The suite then counts where it is begun. What was left out, and why, goes to
// `err`.
absl::Status CollectEdgeAttacks(const EdgeAttacksArguments& arguments, std::ostream& out,
                                std::ostream& err);

}  // namespace joseki
