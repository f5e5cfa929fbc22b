#pragma once

#include <memory>

#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/own_book.h"
#include "engine/usi/shogi/extended_book_port.h"
#include "engine/usi/shogi/partial_book_port.h"

namespace joseki::usi {

// Value of the option WeightsFile for the built-in weights of the learned evaluation.
inline constexpr char kBuiltInWeights[] = "built_in";

// The books that shogi's options name; null: none.
struct ShogiBooks {
  std::unique_ptr<OwnBook> own;
  std::unique_ptr<ExtendedBookPort> extended;  // read by searches
  std::unique_ptr<PartialBookPort> partial;    // read by searches
};

// Shogi's engine for a user interface. Options: the common ones, those of evaluation and search,
// the weights, and those of the books.
std::unique_ptr<GameEngine> MakeShogiEngine(const Protocol& protocol,
                                            const CommonOptions& options = {},
                                            ShogiBooks books = {});

}  // namespace joseki::usi
