#pragma once

#include <string>

#include "absl/status/status.h"
#include "engine/search/papers/favours.h"
#include "engine/search/shogi/game.h"

namespace joseki::usi {

// Settings of the extended book.
struct ExtendedBookOptions {
  std::string file = "no_book";  // ExtendedBook; "no_book": none
  int plies = 60;     // ExtendedBookPlies: ply of the game at which bonuses have faded to 0
  int percent = 100;  // ExtendedBookPercent: share of the bonuses at the first move
};

// Bonuses for moves inside the search, from practice, as a port: the engine knows no book format.
// `At` is called on every thread of a search, the others between searches.
class ExtendedBookPort : public Favours<Shogi> {
 public:
  // Opens the book `file`, or none ("no_book"). On an error, which names the file, no book is open.
  virtual absl::Status Open(const std::string& file) = 0;
  // Sets the strength of the bonuses at `ply` of the game (from 1) for the next searches; they fade
  // linearly until `options.plies`. Returns whether any bonus is left.
  virtual bool Fade(const ExtendedBookOptions& options, int ply) = 0;
};

}  // namespace joseki::usi
