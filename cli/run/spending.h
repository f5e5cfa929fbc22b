#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cli/context.h"
#include "coordinator/offline/spending.h"

namespace joseki::cli {

// How much of the score further games may still find, in one sentence.
std::string GainWords(const coordinator::SpendingReport& report, const Voice& voice = Voice());

// Where a run's games go, in words and as JSON. `start`: where its lines begin, as its
// specification has it.
void PrintSpending(const coordinator::SpendingReport& report, std::string_view start,
                   const Rules& rules, const Voice& voice, std::ostream& out);
Json SpendingJson(const coordinator::SpendingReport& report, const Rules& rules);

}  // namespace joseki::cli
