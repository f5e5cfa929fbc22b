#pragma once

#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "coordinator/core/submission.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Games that are played again, what comes of it, and quarantine.

// The game was credited; `expectation` as RunState::Credit returned it.
void Observe(Tables& tables, ActiveRun& run, const SubmittedItem& item,
             const std::optional<Expectation>& expectation);
// The game or search was committed: another worker may have to make it again.
void OfferToOthers(Tables& tables, ActiveRun& run, const SubmittedItem& item);
void ApplyCopy(Tables& tables, ActiveRun& run, const SubmittedItem& item);
// Charges a fault to its worker first, and quarantines one that breaks most of what it is given.
void NoteFault(Tables& tables, const GameRow& game);

// How many leases ended; 0 if the worker was blocked already.
int Quarantine(Tables& tables, const std::string& worker, const std::string& reason,
               bool automatic);
// For a game that two workers play otherwise than this one.
void QuarantineForGame(Tables& tables, const std::string& worker, RunId run, const SlotRef& game);
void QuarantineOutliers(Tables& tables);
// FailedPrecondition "not_blocked" if nothing of the worker is out.
absl::Status Unblock(Tables& tables, const std::string& worker, bool keep_games_out);
// The names of those that are blocked.
std::set<std::string> Blocked(const Tables& tables);

}  // namespace joseki::coordinator
