#pragma once

#include <string>

#include "absl/status/status.h"
#include "engine/search/papers/alike.h"
#include "engine/search/shogi/game.h"

namespace joseki::usi {

inline constexpr char kNoPartialBook[] = "no_book";

// TACOS's partial-position book, as a port: the engine knows no book format. Asked by any thread,
// opened by one while no search runs.
class PartialBookPort : public AlikeMoves<Shogi> {
 public:
  // Opens the book `file`, or none (kNoPartialBook). On an error, which names the file, no book is
  // open.
  virtual absl::Status Open(const std::string& file) = 0;
  virtual bool empty() const = 0;
};

}  // namespace joseki::usi
