#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

struct AuditReport {
  uint64_t games = 0;  // replayed
  uint64_t evaluations = 0;
  uint64_t weights = 0;  // rebuilt and compared: one per book move of each run
  uint64_t mismatches = 0;
  std::vector<std::string> first;  // the first hundred, in words
};

// Checks a database; only the moves of the game rows are trusted. For every run:
//   1. the frozen book has the hash of its name;
//   2. every game belongs to a slot of a lease of its run and passes intake again: line, exclusion,
//      legality, re-entry, ending; the row's result, hashes, stage and worker match the replay;
//   3. every evaluation belongs to such a slot and passes intake again, and the models of the run's
//      priors follow from games and evaluations;
//   4. every archive of games matches its seal: hash, totals, games;
//   5. the evidence and the weights rebuilt from the games equal those of the checkpoint.
// An error only if the database cannot be read at all; contradictions are mismatches. Reads one
// consistent state; a coordinator may be writing meanwhile.
absl::StatusOr<AuditReport> Audit(book::Store& store, const Rules& rules);

}  // namespace joseki::coordinator
