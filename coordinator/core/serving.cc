#include "coordinator/core/serving.h"

#include <algorithm>
#include <utility>

#include "base/problem.h"
#include "base/retry_after.h"
#include "coordinator/core/refusals.h"

namespace joseki::coordinator {

absl::StatusOr<Session*> SessionOf(Tables& tables, SessionId id) {
  if (tables.holds.stopping) return ShuttingDown();
  Session* const session = tables.sessions.Find(id);
  if (session == nullptr) return UnknownSession(id);
  session->HeardAt(tables.moment.now);
  return session;
}

absl::Duration Silence(const Tables& tables) {
  return tables.settings.acquire_wait + 3 * tables.serving.pressure.beat();
}

bool MustDrain(const Tables& tables, const Session& session) {
  return tables.holds.drain_all || tables.holds.draining.count(session.worker) != 0;
}

bool IsThere(const Tables& tables, const Session& session) {
  return !MustDrain(tables, session) && tables.moment.now - session.seen <= Silence(tables);
}

bool MayServe(const Tables& tables, const Session& session, const ActiveRun& run) {
  return session.Serves(run.state.row().spec) && session.cannot.count(run.state.row().run) == 0 &&
         tables.standing.trust.BlockOf(session.worker) == nullptr &&
         tables.standing.faulty.count(session.worker) == 0;
}

bool IsAlone(const Tables& tables, const ActiveRun& run, const std::string& worker) {
  return std::none_of(tables.sessions.all().begin(), tables.sessions.all().end(),
                      [&](const auto& entry) {
                        const Session& session = entry.second;
                        return session.worker != worker && IsThere(tables, session) &&
                               MayServe(tables, session, run);
                      });
}

bool HasCopies(const Tables& tables, const ActiveRun& run, const Session& session) {
  if (run.verification.waiting() == 0 || !run.state.row().CanPlay()) return false;
  // Test IsAlone last: it looks at every session.
  return run.verification.HasWork(session.worker, session.id, /*alone=*/false, session.kinds) ||
         (run.verification.HasWork(session.worker, session.id, /*alone=*/true, session.kinds) &&
          IsAlone(tables, run, session.worker));
}

const EngineIdentity* WrongEngine(const std::vector<EngineIdentity>& engines,
                                  const PlaySpec& play) {
  if (play.engine_signature == 0) return nullptr;
  const auto at = std::find_if(engines.begin(), engines.end(), [&](const EngineIdentity& engine) {
    return engine.id == play.engine_id && engine.Plays(play.game);
  });
  return at == engines.end() || at->signature == play.engine_signature ? nullptr : &*at;
}

void FindServed(Tables& tables, Session& session) {
  tables.notes.sessions.insert(session.id);
  session.serves.clear();
  for (const auto& [id, run] : tables.runs) {
    if (!run.state.row().over() && MayServe(tables, session, run)) session.serves.push_back(id);
  }
}

void FindServers(Tables& tables, RunId id) {
  const ActiveRun& run = tables.runs.at(id);
  for (auto& [session_id, session] : tables.sessions.all()) {
    if (!MayServe(tables, session, run)) continue;
    tables.serving.waiters.AddRun(session_id, id);
    const std::vector<RunId>& serves = session.serves;
    if (std::find(serves.begin(), serves.end(), id) != serves.end()) continue;
    session.serves.push_back(id);
    tables.notes.sessions.insert(session_id);
  }
}

void NoteLoad(Tables& tables) {
  tables.serving.pressure.Note(tables.moment.now, {.queued_games = tables.moment.queued_games,
                                                   .written_games = tables.moment.written_games,
                                                   .sessions = tables.sessions.all().size(),
                                                   .storage_works = tables.holds.storage.empty()});
}

absl::Status Later(Tables& tables, absl::Status status) {
  return WithRetryAfter(std::move(status), tables.serving.pressure.RetryAfter(tables.serving.rng));
}

absl::Status AdmitReader(Tables& tables) {
  NoteLoad(tables);
  if (!tables.serving.pressure.Sheds(Pressure::Level::kNoReaders)) return absl::OkStatus();
  return Later(tables, MakeProblem({.code = "too_busy",
                                    .found = "games that wait for the disk",
                                    .expected = "the same call again a little later"},
                                   absl::StatusCode::kResourceExhausted));
}

absl::Status RefuseOnFullDisk(const Tables& tables) {
  if (tables.holds.disk != DiskLevel::kFull) return absl::OkStatus();
  return MakeProblem({.code = "disk_low",
                      .found = tables.holds.disk_problem,
                      .expected = "the same call again when there is room; games are still taken"},
                     absl::StatusCode::kResourceExhausted);
}

}  // namespace joseki::coordinator
