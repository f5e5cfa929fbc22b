#pragma once

#include "absl/status/status.h"
#include "coordinator/core/ledger.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// Writes the debt within the open transaction. After an error the transaction has to be rolled
// back, and the ledger gets the debt back.
absl::Status Pay(const Debt& debt, RunStore& rows);

}  // namespace joseki::coordinator
