#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Invariants of a database, at rest or while a coordinator writes to it, after any failure of the
// database or its writers.
struct InvariantReport {
  uint64_t games = 0;         // stored
  uint64_t acknowledged = 0;  // different ones that were asked for
  uint64_t weights = 0;       // rebuilt and compared (audit.h)
  uint64_t violations = 0;
  std::vector<std::string> first;  // the first hundred, in words
};

// Checks:
//   1. SQLite's own check of the file finds no fault.
//   2. Every game in `acknowledged` (lease and slot; any order, repeats allowed) is stored, as a
//      game or as a copy that verified one.
//   3. commit_seq numbers the games from 1 without gaps, and no key occurs twice.
//   4. Every game belongs to a lease and a slot that were granted, is legal, and matches its
//      replay; the stored weights follow from the games (audit.h).
//   5. The counts of all book moves sum to the book plies of the games that count; with re-entry,
//      to the different book moves of each game.
// Reads one state of the database. Errors are those of reading; violations are no errors.
absl::StatusOr<InvariantReport> CheckInvariants(
    book::Store& store, const Rules& rules, std::vector<std::pair<LeaseId, uint32_t>> acknowledged);

}  // namespace joseki::coordinator
