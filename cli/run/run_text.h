#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/words/voice.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The workers with which a line failed, in the order in which it did.
std::vector<std::string> FailedWith(const coordinator::PoisonedLine& line);

// What a run is and how far, one thing a line. Lines that are left out are written as
// `joseki run free --line` takes them.
void PrintRun(const coordinator::RunStatus& run, const Rules& rules, const Voice& voice,
              std::ostream& out);

}  // namespace joseki::cli
