#pragma once

#include <memory>

#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/own_book.h"
#include "engine/usi/shogi/extended_book_port.h"
#include "engine/usi/shogi/partial_book_port.h"

namespace joseki::usi {

// WeightsFile: of the learned evaluation; this for those that the program carries.
inline constexpr char kBuiltInWeights[] = "built_in";

// The books that shogi's options speak of; null: there is none.
struct ShogiBooks {
  std::unique_ptr<OwnBook> own;
  std::unique_ptr<ExtendedBookPort> extended;  // searches read it
  std::unique_ptr<PartialBookPort> partial;    // they read it too
};

// Shogi's engine for a user interface. Its options: the common ones, those of its evaluation and
// search, its weights, and those of its books.
std::unique_ptr<GameEngine> MakeShogiEngine(const Protocol& protocol,
                                            const CommonOptions& options = {},
                                            ShogiBooks books = {});

}  // namespace joseki::usi
