#pragma once

#include <string>

#include "cli/words/voice.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/movers.h"
#include "coordinator/offline/run_history.h"
#include "engine/core/rules.h"

// The course of a run, in the words of a report.
namespace joseki::cli {

using coordinator::Mover;
using coordinator::Movers;
using coordinator::RunHistory;

// A move in words: its evidence, and for a search's answer its value and trials.
std::string AnswerWords(const Mover& mover, const coordinator::ExportBook::Move& move,
                        const Rules& rules, const Voice& voice);

}  // namespace joseki::cli
