#pragma once

#include <string>

#include "absl/status/status.h"
#include "engine/search/papers/alike.h"
#include "engine/search/shogi/game.h"

namespace joseki::usi {

inline constexpr char kNoPartialBook[] = "no_book";

// TACOS's partial-position book as the engine's options name it, behind a port: the engine knows no
// format. Asked from any thread, opened by one while no search runs.
class PartialBookPort : public AlikeMoves<Shogi> {
 public:
  // Takes the book `file`, or none (kNoPartialBook). An error that names the file; then there is
  // none.
  virtual absl::Status Open(const std::string& file) = 0;
  virtual bool empty() const = 0;
};

}  // namespace joseki::usi
