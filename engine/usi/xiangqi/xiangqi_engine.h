#pragma once

#include <memory>

#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"

namespace joseki::usi {

// Xiangqi's engine for a user interface. Its options: the common ones, the rule of repetition, and
// those of the search.
std::unique_ptr<GameEngine> MakeXiangqiEngine(const Protocol& protocol,
                                              const CommonOptions& options = {});

}  // namespace joseki::usi
