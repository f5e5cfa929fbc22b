#pragma once

#include "coordinator/offline/exporter.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// An answer of a book: {move, wins, draws, losses, low, high, worth, trials, searched}. `worth` is
// in centipawns for the side that plays it.
Json AnswerJson(const ExportBook::Move& move, const Rules& rules);

}  // namespace joseki::coordinator
