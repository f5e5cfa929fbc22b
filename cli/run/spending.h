#pragma once

#include <ostream>

#include "cli/context.h"
#include "coordinator/offline/spending.h"

namespace joseki::cli {

// Where a run's games go, in words and as JSON.
void PrintSpending(const coordinator::SpendingReport& report, const Rules& rules,
                   std::ostream& out);
Json SpendingJson(const coordinator::SpendingReport& report, const Rules& rules);

}  // namespace joseki::cli
