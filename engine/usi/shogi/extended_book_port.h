#pragma once

#include <string>

#include "absl/status/status.h"
#include "engine/search/papers/favours.h"
#include "engine/search/shogi/game.h"

namespace joseki::usi {

// How the engine uses an extended book.
struct ExtendedBookOptions {
  std::string file = "no_book";  // ExtendedBook; "no_book" for none
  int plies = 60;                // ExtendedBookPlies: at this ply of the game nothing is left of it
  int percent = 100;             // ExtendedBookPercent: of the bonuses, at the first move
};

// What practice says of moves, as bonuses inside the search, behind a port: the engine knows no
// format. One thread.
class ExtendedBookPort : public Favours<Shogi> {
 public:
  // Takes the book `file`, or none ("no_book"). An error that names the file; then there is none.
  virtual absl::Status Open(const std::string& file) = 0;
  // Says whether there is anything to ask at `ply` of the game (from 1): the bonuses are strong
  // early and fade evenly until `options.plies`. For the searches that begin from now on.
  virtual bool Fade(const ExtendedBookOptions& options, int ply) = 0;
};

}  // namespace joseki::usi
