#pragma once

#include "coordinator/offline/exporter.h"
#include "coordinator/page/json.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// An answer of a book: {move, wins, draws, losses, low, high, worth, trials, searched, origin,
// decided_by}. `worth` is in centipawns for the side that plays it. `origin` and `decided_by` are
// the words of move_origin.h, null without a run.
Json AnswerJson(const ExportBook::Move& move, const Rules& rules);

}  // namespace joseki::coordinator
