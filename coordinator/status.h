#pragma once

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// The status for readers, from the current tables. Ten thousand workers take too long for one hold
// of the mutex, so they are listed in pieces.

RunStatus StatusOf(const Tables& tables, const ActiveRun& run, absl::Time now);
// StatusOf with the run's poisoned and resting lines.
RunStatus FullStatusOf(const Tables& tables, const ActiveRun& run, absl::Time now);

// Workers that do not serve a run, and what they lack.
using Lacking = std::map<std::string, std::string>;
// Adds those among some sessions after `last`. Returns as AddSessions.
std::optional<SessionId> AddLacking(const Tables& tables, const ActiveRun& run, SessionId last,
                                    Lacking& lacking);
// "2 workers lack the engine toy; ..."
std::string WhyNotServed(const Lacking& lacking);

// Adds some sessions after `last`. Returns the last of them, or nullopt at the end.
std::optional<SessionId> AddSessions(const Tables& tables, SessionId last,
                                     const Residuals::Yardstick& yardstick, absl::Time now,
                                     ClusterStatus& status);
// Adds workers without a session that are still of interest. `wall`: the time for rows.
void AddOtherWorkers(const Tables& tables, const Residuals::Yardstick& yardstick, absl::Time now,
                     absl::Time wall, ClusterStatus& status);
// A worker that rejoined while the list was being made appears twice: keep its newest session.
void DropSuperseded(ClusterStatus& status);

// The evidence of a position, best move first; of the run's start where `text` is empty. NotFound
// "not_in_book".
absl::StatusOr<PositionEvidence> EvidenceAt(const Rules& rules, const RunState& state,
                                            const std::string& text);

}  // namespace joseki::coordinator
