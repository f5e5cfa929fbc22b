#pragma once

#include "absl/status/status.h"
#include "book/database/store.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Reads back into empty tables what the database holds: each run with its checkpoint, the games
// after it, lost slots, left-out lines and leases, of which each live one gets a full new term.
// DataLoss where the rows contradict each other.
absl::Status RestoreTables(book::Store& store, int attempts_per_line, Tables& tables);

}  // namespace joseki::coordinator
