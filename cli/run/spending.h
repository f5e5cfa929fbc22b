#pragma once

#include <ostream>
#include <string>

#include "cli/context.h"
#include "coordinator/offline/spending.h"

namespace joseki::cli {

// How much of the score further games may still find, in one sentence.
std::string GainWords(const coordinator::SpendingReport& report);

// Where a run's games go, in words and as JSON.
void PrintSpending(const coordinator::SpendingReport& report, const Rules& rules,
                   std::ostream& out);
Json SpendingJson(const coordinator::SpendingReport& report, const Rules& rules);

}  // namespace joseki::cli
