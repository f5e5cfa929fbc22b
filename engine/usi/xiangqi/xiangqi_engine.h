#pragma once

#include <memory>

#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/own_book.h"

namespace joseki::usi {

// Xiangqi's engine for a user interface. Its options: the common ones, the rule of repetition,
// those of the search, and those of its book. `book`: null, and there is none.
std::unique_ptr<GameEngine> MakeXiangqiEngine(const Protocol& protocol,
                                              const CommonOptions& options = {},
                                              std::unique_ptr<OwnBook> book = nullptr);

}  // namespace joseki::usi
