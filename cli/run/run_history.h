#pragma once

#include <string>

#include "cli/words/voice.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/movers.h"
#include "coordinator/offline/run_history.h"
#include "engine/core/rules.h"

// What a report says of how a run went, in words.
namespace joseki::cli {

using coordinator::Mover;
using coordinator::Movers;
using coordinator::RunHistory;

// The move, what its games say of it, and, of a search's answer, its value and trials.
std::string AnswerWords(const Mover& mover, const coordinator::ExportBook::Move& move,
                        const Rules& rules, const Voice& voice);

}  // namespace joseki::cli
