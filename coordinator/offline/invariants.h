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

// Invariants of a database, at rest or while a coordinator writes to it, whatever has happened
// to it and to those who wrote it.
struct InvariantReport {
  uint64_t games = 0;         // stored
  uint64_t acknowledged = 0;  // different ones that were asked for
  uint64_t weights = 0;       // rebuilt and compared (audit.h)
  uint64_t violations = 0;
  std::vector<std::string> first;  // the first hundred, in words
};

// 1. SQLite's own check of the file finds nothing.
// 2. Every game in `acknowledged` (lease and slot; any order, repeats allowed) is stored, as a game
//    or as a copy that verified one.
// 3. commit_seq numbers the games from 1 without gaps, and no key is there twice.
// 4. Every game is of a lease and a slot that were handed out, is legal, and says of itself what
//    its replay says; the stored weights are those that the games give (audit.h).
// 5. The counts of all book moves together are the book plies of the games that count; with
//    re-entry, the book moves of each game, one played twice counted once.
// Reads one state of the database. The error is of reading; violations are no errors.
absl::StatusOr<InvariantReport> CheckInvariants(
    book::Store& store, const Rules& rules, std::vector<std::pair<LeaseId, uint32_t>> acknowledged);

}  // namespace joseki::coordinator
