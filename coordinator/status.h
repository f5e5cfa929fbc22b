#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/core/tables.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Status for readers, from the tables as they are. Ten thousand workers take longer than
// anybody may have to wait for the tables: the list of them is made in pieces.

RunStatus StatusOf(const Tables& tables, const ActiveRun& run, absl::Time now);
// With its lines that are left out or rest, and why workers do not serve it. Looks at every
// session.
RunStatus FullStatusOf(const Tables& tables, const ActiveRun& run, absl::Time now);

// Some sessions after `last`; the last of them, or nullopt where there were no more.
std::optional<SessionId> AddSessions(const Tables& tables, SessionId last,
                                     const Residuals::Yardstick& yardstick, absl::Time now,
                                     ClusterStatus& status);
// Workers without a session of which something is to be told. `wall`: of the clock that dates rows.
void AddOtherWorkers(const Tables& tables, const Residuals::Yardstick& yardstick, absl::Time now,
                     absl::Time wall, ClusterStatus& status);
// A worker that joined again while the list was made appears in it twice: its newest session stays.
void DropSuperseded(ClusterStatus& status);

// The games' evidence on a position, best move first; the run's first position where `text` is
// empty. NotFound "not_in_book".
absl::StatusOr<PositionEvidence> EvidenceAt(const Rules& rules, const RunState& state,
                                            const std::string& text);

}  // namespace joseki::coordinator
