#pragma once

#include "absl/status/status.h"
#include "book/database/store.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Fills empty tables from the database: each run with its checkpoint, the games after it, lost
// slots, poisoned lines, and leases. Live leases get a full new term. DataLoss where the rows
// contradict each other.
absl::Status RestoreTables(book::Store& store, int attempts_per_line, Tables& tables);

}  // namespace joseki::coordinator
