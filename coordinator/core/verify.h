#pragma once

#include <set>
#include <string>

#include "absl/status/status.h"
#include "coordinator/core/submission.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Repeated games, their results, quarantine, and workers that break their games.

// Offers a committed game or search for a repetition by another worker.
void OfferToOthers(Tables& tables, ActiveRun& run, const SubmittedItem& item);
// Compares a committed copy with the game that it repeats.
void ApplyCopy(Tables& tables, ActiveRun& run, const SubmittedItem& item);

// Returns the number of leases that ended; 0 if the worker was blocked already.
int Quarantine(Tables& tables, const std::string& worker, const std::string& reason,
               bool automatic);
// Gives the worker's process no more slots, since it breaks them. What it brought stays: a fault of
// an engine says nothing against other games, and copies find wrong ones.
void Suspend(Tables& tables, const std::string& worker, const std::string& reason);
// Quarantines a worker because two others agree on a different game in this slot.
void QuarantineForGame(Tables& tables, const std::string& worker, RunId run, const SlotRef& game);
void QuarantineOutliers(Tables& tables);
// Ends a block or a suspension. FailedPrecondition "not_blocked" if there is none, and no game of
// the worker is out.
absl::Status Unblock(Tables& tables, const std::string& worker, bool keep_games_out);
// The names of the blocked workers.
std::set<std::string> Blocked(const Tables& tables);

}  // namespace joseki::coordinator
