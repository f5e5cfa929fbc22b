#pragma once

#include <memory>

#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/own_book.h"

namespace joseki::usi {

// Xiangqi's engine for a user interface. Options: the common ones, the repetition rule, those of
// evaluation and search, and those of the book. `book` may be null: no book.
std::unique_ptr<GameEngine> MakeXiangqiEngine(const Protocol& protocol,
                                              const CommonOptions& options = {},
                                              std::unique_ptr<OwnBook> book = nullptr);

}  // namespace joseki::usi
