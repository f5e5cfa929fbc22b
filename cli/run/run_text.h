#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/words/voice.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The workers with which a line failed, in order of the failures.
std::vector<std::string> FailedWith(const coordinator::PoisonedLine& line);

// Prints a run's settings and progress, one item per line. Poisoned lines are written as `joseki
// run free --line` takes them.
void PrintRun(const coordinator::RunStatus& run, const Rules& rules, const Voice& voice,
              std::ostream& out);

}  // namespace joseki::cli
