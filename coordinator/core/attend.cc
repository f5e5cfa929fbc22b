#include "coordinator/core/attend.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "coordinator/core/ended_leases.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kMostRefused = 1000;
constexpr size_t kFollowed = 8;  // remembered processes of a worker

Session MakeSession(const JoinInput& input) {
  Session session;
  session.worker = input.worker;
  session.seats = input.seats;
  session.engines = input.engines;
  session.build = input.build;
  session.process = input.process;
  session.instance = input.instance;
  session.labels = input.labels;
  session.memory_mb = input.memory_mb;
  session.cores = input.cores;
  session.kinds = input.kinds;
  return session;
}

absl::Status CheckEngines(Tables& tables, const JoinInput& input) {
  absl::Status refusal;
  const auto plays = [&tables](const EngineIdentity& engine) {
    return engine.Plays(tables.rules.game());
  };
  if (!input.engines.empty() && std::none_of(input.engines.begin(), input.engines.end(), plays)) {
    const EngineIdentity& first = input.engines.front();
    return MakeProblem(
        {.code = "other_game",
         .found = absl::StrCat("engine ", first.id, ", which plays ", first.game),
         .expected = absl::StrCat("an engine that plays ", std::string(tables.rules.game()))},
        absl::StatusCode::kFailedPrecondition);
  }
  const Session session = MakeSession(input);
  for (const auto& [id, run] : tables.runs) {
    if (run.state.row().over()) continue;
    // Skip a run that would never ask this worker.
    if (!session.Lacks(run.state.row().spec.requirements).empty()) continue;
    const PlaySpec& play = run.state.row().spec.play;
    if (const EngineIdentity* wrong = WrongEngine(input.engines, play)) {
      refusal.Update(MakeProblem(
          {.code = "engine",
           .found = absl::StrCat("engine ", wrong->id, " with signature ", wrong->signature),
           .expected =
               absl::StrCat("signature ", play.engine_signature, ", as run ", id, " has it")},
          absl::StatusCode::kFailedPrecondition));
      continue;
    }
    if (session.Serves(run.state.row().spec)) return absl::OkStatus();
  }
  if (!refusal.ok()) {
    if (tables.standing.refused.size() >= kMostRefused) {
      tables.standing.refused.erase(std::min_element(
          tables.standing.refused.begin(), tables.standing.refused.end(),
          [](const auto& a, const auto& b) { return a.second.seen < b.second.seen; }));
    }
    tables.standing.refused[input.worker] = {input.seats, input.build,
                                             std::string(refusal.message()), tables.moment.now};
  }
  return refusal;
}

// Checks that no other worker has the name. A restarted worker has a new process and its old
// instance, and takes over its name at once. Another worker of that name has another instance. Then
// the first counts as alive if it is heard of after the other has asked. A copied spool folder
// makes two workers with one instance: a process that was followed by another may not come back.
absl::Status CheckAlone(Tables& tables, const JoinInput& input) {
  Session* const session = tables.sessions.FindWorker(input.worker);
  if (session == nullptr || session->process == input.process) {
    return absl::OkStatus();
  }
  const auto in_use = [&](absl::StatusCode code) {
    return MakeProblem(
        {.code = "name_in_use",
         .file = "worker",
         .found = absl::StrCat("another worker ", Quote(input.worker), " at work"),
         .expected = "a name of its own for each worker: --name (with TLS the one of "
                     "its certificate), and a spool folder of its own"},
        code);
  };
  const std::vector<uint64_t>& followed = session->followed;
  if (std::find(followed.begin(), followed.end(), input.process) != followed.end()) {
    // A delayed Join may arrive after its worker was restarted: a process that was not heard of
    // since counts as dead.
    if (session->heard) return in_use(absl::StatusCode::kFailedPrecondition);
  } else if (session->instance == input.instance) {
    return absl::OkStatus();
  }
  const absl::Time now = tables.moment.now;
  const absl::Duration left = session->seen + Silence(tables) - now;
  if (left <= absl::ZeroDuration()) return absl::OkStatus();  // it is gone
  if (session->rival != input.process) {
    session->rival = input.process;
    session->rival_since = now;
  }
  if (session->seen > session->rival_since) {
    tables.effects.Warn("name_in_use worker={} session={}", input.worker, session->id);
    return in_use(absl::StatusCode::kFailedPrecondition);
  }
  return WithRetryAfter(in_use(absl::StatusCode::kUnavailable),
                        std::min(left, tables.serving.pressure.beat()));
}

absl::Status CheckJoin(Tables& tables, const JoinInput& input) {
  if (tables.holds.stopping) return ShuttingDown();
  RETURN_IF_ERROR(RefuseOnFullDisk(tables));
  RETURN_IF_ERROR(CheckEngines(tables, input));
  return CheckAlone(tables, input);
}

// Supersedes the worker's earlier session.
void Enter(Tables& tables, const SessionRow& row, const JoinInput& input) {
  Session* const earlier = tables.sessions.FindWorker(row.worker);
  const SessionId fenced = earlier == nullptr ? 0 : earlier->id;
  Session session = MakeSession(input);
  session.id = row.session;
  if (earlier != nullptr) {
    session.followed = earlier->followed;
    if (earlier->process != input.process) session.followed.push_back(earlier->process);
    if (session.followed.size() > kFollowed) session.followed.erase(session.followed.begin());
  }
  session.seen = tables.moment.now;
  session.counts = true;
  const auto faulty = tables.standing.faulty.find(row.worker);
  if (faulty != tables.standing.faulty.end() && faulty->second.process != input.process) {
    tables.standing.faulty.erase(faulty);
    tables.standing.faults.Forget(row.worker);
  }
  FindServed(tables, session);
  tables.standing.refused.erase(row.worker);
  if (fenced > row.session) return;
  if (earlier != nullptr) tables.notes.sessions.insert(fenced);
  tables.sessions.Open(std::move(session));
  ReplyToHeld(tables, fenced, UnknownSession(fenced));
  // A restarted worker plays no slots of its earlier process.
  const std::vector<LeaseTable::Ended> ended = tables.leases.Abandon(row.worker, input.process);
  if (ended.empty()) return;
  tables.effects.Warn("worker_started_again worker={} leases_ended={}", row.worker, ended.size());
  EndLeases(tables, ended, LeaseState::kAbandoned);
  tables.notes.serve = true;
  tables.effects.write = true;
}

}  // namespace

absl::StatusOr<SessionRow> AdmitWorker(Tables& tables, const JoinInput& input) {
  RETURN_IF_ERROR(CheckJoin(tables, input));
  SessionRow row;
  row.session = tables.marks.session++;
  row.joined_ms = tables.moment.wall_ms;
  row.worker = input.worker;
  row.seats = input.seats;
  row.build = input.build;
  return row;
}

void OpenSession(Tables& tables, const SessionRow& row, const JoinInput& input,
                 const std::function<void(JoinOutput)>& done) {
  Enter(tables, row, input);
  NoteLoad(tables);
  JoinOutput output;
  output.session = row.session;
  output.beat = tables.serving.pressure.beat();
  output.wait = tables.settings.acquire_wait;
  output.spread = tables.serving.pressure.spread();
  std::vector<std::function<void()>>& replies = tables.effects.replies;
  replies.insert(replies.begin(), [done, output] { done(output); });
  tables.effects.Info("worker_joined worker={} session={} slots={}", row.worker, row.session,
                      row.seats);
}

absl::StatusOr<BeatOutput> NoteBeat(Tables& tables, SessionId session_id,
                                    const std::vector<LeaseProgress>& progress,
                                    const std::optional<WorkerCost>& cost) {
  ASSIGN_OR_RETURN(Session* const session, SessionOf(tables, session_id));
  const absl::Time now = tables.moment.now;
  if (cost) session->cost = *cost;
  NoteLoad(tables);
  BeatOutput output;
  output.beat = tables.serving.pressure.beat();
  output.spread = tables.serving.pressure.spread();
  if (tables.serving.pressure.Sheds(Pressure::Level::kNoBeats)) return output;
  const uint32_t in_hand = tables.leases.OpenSlotsOf(session->worker);
  // By run: leases are many, and a pace looks at all of the worker's.
  std::map<const ActiveRun*, absl::Duration> longest_of = {{nullptr, absl::InfiniteDuration()}};
  for (const LeaseProgress& lease : progress) {
    const ActiveRun* const run = tables.FindRun(tables.leases.RunOf(lease.lease));
    const auto [known, fresh] = longest_of.try_emplace(run);
    if (fresh) known->second = PaceOf(tables, *run, *session).Longest(in_hand);
    const absl::Duration longest = known->second;
    const absl::Status renewed = tables.leases.Renew(lease.lease, session->worker, lease.plies, now,
                                                     4 * output.beat, longest);
    // A forgotten lease is finished, so there is nothing to abandon.
    if (!renewed.ok() && run != nullptr) output.cancelled.push_back(lease.lease);
  }
  output.drain = MustDrain(tables, *session);
  return output;
}

absl::Status CloseSession(Tables& tables, SessionId session_id,
                          const std::vector<SlotRef>& unplayed) {
  ASSIGN_OR_RETURN(Session* const session, SessionOf(tables, session_id));
  std::vector<LeaseTable::Ended> ended;
  for (const SlotRef& slot : unplayed) {
    // Each slot names its lease; the lease ends at the first.
    auto lease = tables.leases.GiveBack(slot.lease, session->worker);
    if (lease.ok()) ended.push_back(*std::move(lease));
  }
  tables.effects.Info("worker_left worker={} session={} leases_given_back={}", session->worker,
                      session_id, ended.size());
  tables.ledger.OweLeft(session_id, tables.moment.wall_ms);
  ReplyToHeld(tables, session_id, UnknownSession(session_id));
  tables.sessions.Close(session_id);
  tables.notes.sessions.insert(session_id);
  EndLeases(tables, ended, LeaseState::kGivenBack);
  tables.notes.serve = true;
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
