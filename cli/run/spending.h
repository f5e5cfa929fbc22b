#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "cli/context.h"
#include "coordinator/offline/spending.h"

namespace joseki::cli {

// The share of the score that further games may still gain, in one sentence.
std::string GainWords(const coordinator::SpendingReport& report, const Voice& voice = Voice());

// The positions where a run's games go, as text and as JSON. `start`: the start of its lines, as in
// its specification.
void PrintSpending(const coordinator::SpendingReport& report, std::string_view start,
                   const Rules& rules, const Voice& voice, std::ostream& out);
Json SpendingJson(const coordinator::SpendingReport& report, const Rules& rules);

}  // namespace joseki::cli
