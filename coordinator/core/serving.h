#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// The relation of sessions and the runs that they may play for.

// The session of a call, which counts as heard of now. Unavailable "shutting_down",
// FailedPrecondition "unknown_session".
absl::StatusOr<Session*> SessionOf(Tables& tables, SessionId session);

// The silence after which a worker no longer counts as active; an Acquire keeps it silent while
// held.
absl::Duration Silence(const Tables& tables);
bool MustDrain(const Tables& tables, const Session& session);
// Whether the session was heard of recently and does not drain.
bool IsThere(const Tables& tables, const Session& session);
// Whether the session has the run's engine, meets its requirements, and is not blocked.
bool MayServe(const Tables& tables, const Session& session, const ActiveRun& run);
// Whether no other active worker may serve the run. Looks at every session.
bool IsAlone(const Tables& tables, const ActiveRun& run, const std::string& worker);
// Whether there is a game of another worker that the session could repeat now.
bool HasCopies(const Tables& tables, const ActiveRun& run, const Session& session);
// The engine with the name that the run requires but another signature; null if there is none.
const EngineIdentity* WrongEngine(const std::vector<EngineIdentity>& engines, const PlaySpec& play);

// Determines who serves which run: for a new session, or for a run that is new or resumed.
void FindServed(Tables& tables, Session& session);
void FindServers(Tables& tables, RunId run);

// Updates the pressure with the current load.
void NoteLoad(Tables& tables);
// The status, with a delay before the retry.
absl::Status Later(Tables& tables, absl::Status status);
// OK if the load leaves room for readers; else ResourceExhausted "too_busy", with that delay.
absl::Status AdmitReader(Tables& tables);
// "disk_low" while only games may be written.
absl::Status RefuseOnFullDisk(const Tables& tables);

}  // namespace joseki::coordinator
