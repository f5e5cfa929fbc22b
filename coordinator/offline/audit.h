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
  uint64_t weights = 0;  // rebuilt and compared: one a book move of each run
  uint64_t mismatches = 0;
  std::vector<std::string> first;  // the first hundred mismatches, in words
};

// Believes the moves of the game rows and nothing else. For every run of the database:
//   1. the frozen book hashes to its name;
//   2. every game belongs to a slot of a lease of its run and passes intake again: line, exclusion,
//      legality, re-entry, ending; result, hashes, stage and worker of the row are what that gives;
//   3. every evaluation belongs to such a slot too and passes intake again, and the models of the
//      run's priors are what games and evaluations give;
//   4. every archive of games is what was sealed: hash, totals, games;
//   5. the evidence and the weights rebuilt from the games are those of the checkpoint.
// An error only where the database cannot be read at all; what contradicts itself is a mismatch.
// One consistent state is read; a coordinator may be writing meanwhile.
absl::StatusOr<AuditReport> Audit(book::Store& store, const Rules& rules);

}  // namespace joseki::coordinator
