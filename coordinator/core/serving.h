#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Sessions and the runs that they may play for.

// How long a worker may say nothing; one whose Acquire is held does for that long.
absl::Duration Silence(const Tables& tables);
bool MustDrain(const Tables& tables, const Session& session);
// The session was heard of lately and does not drain.
bool IsThere(const Tables& tables, const Session& session);
// It has the run's engine and all that the run requires, and is not blocked.
bool MayServe(const Tables& tables, const Session& session, const ActiveRun& run);
// No other worker that is there may serve the run. Looks at every session.
bool IsAlone(const Tables& tables, const ActiveRun& run, const std::string& worker);
// The session could play somebody's game again now.
bool HasCopies(const Tables& tables, const ActiveRun& run, const Session& session);
// The engine that the run wants by its name and not by its signature; null if there is none.
const EngineIdentity* WrongEngine(const std::vector<EngineIdentity>& engines, const PlaySpec& play);

// Finds who serves which: for a new session, or for a run that is new or runs again.
void FindServed(const Tables& tables, Session& session);
void FindServers(Tables& tables, RunId run);
// Whether the session stands in the `servers` of the runs that it serves.
void CountAsServer(Tables& tables, Session& session, bool counts);

// Tells the pressure the load of now.
void NoteLoad(Tables& tables);
// The status, with a time after which the same call may be made again.
absl::Status Later(Tables& tables, absl::Status status);
// "disk_low" where nothing but games may be written.
absl::Status RefuseOnFullDisk(const Tables& tables);

}  // namespace joseki::coordinator
