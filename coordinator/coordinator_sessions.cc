// How workers come, say that they live, and leave.

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "coordinator/coordinator.h"
#include "coordinator/refusals.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

// Of a worker's processes so many are remembered.
constexpr size_t kFollowed = 8;

absl::Status CheckJoin(const JoinInput& input, uint32_t most_slots) {
  if (!IsName(input.worker)) {
    return MakeProblem({.code = "bad_field",
                        .file = "worker",
                        .found = Quote(input.worker),
                        .expected = kNameWords});
  }
  if (input.protocol != kProtocol) {
    return Refuse("protocol", absl::StrCat("version ", input.protocol),
                  absl::StrCat("version ", kProtocol));
  }
  if (input.seats < 1 || input.seats > most_slots) {
    return MakeProblem({.code = "bad_field",
                        .file = "slots",
                        .found = absl::StrCat(input.seats),
                        .expected = absl::StrCat("1 to ", most_slots)});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Coordinator::UnknownSession(SessionId session) {
  return Refuse("unknown_session", absl::StrCat("session ", session),
                "the newest session of a worker: join again");
}

void Coordinator::Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done) {
  absl::Status status = CheckJoin(input, kMaxSlotsPerWorker);
  if (!status.ok()) return done(status);
  SessionRow row;
  {
    const std::lock_guard lock(mutex_);
    status = stopping_ ? ShuttingDown() : RefuseOnFullDisk();
    if (status.ok()) status = CheckEngines(input);
    if (status.ok()) status = CheckAlone(input);
    if (status.ok()) row.session = marks_.session++;
  }
  if (!status.ok()) return done(status);
  row.worker = input.worker;
  row.seats = input.seats;
  row.build = input.build;
  row.joined_ms = NowMs();
  Writer::Job job;
  job.write = [row](Writer::Batch& batch) { return batch.rows.InsertSession(row); };
  job.done = [this, row, input = std::move(input), done](absl::Status written) {
    if (!written.ok()) return done(Later(std::move(written)));
    Calls calls;
    JoinOutput output{row.session, epoch_, {}, options_.acquire_wait, {}};
    {
      const std::lock_guard lock(mutex_);
      OpenSession(row, input, calls);
      NoteLoad(Now());
      output.beat = pressure_.beat();
      output.spread = pressure_.spread();
    }
    spdlog::info("worker_joined worker={} session={} slots={}", row.worker, row.session, row.seats);
    done(output);
    RunCalls(calls);
  };
  if (!writer_->Push(std::move(job))) done(Busy());
}

// A worker that is started again comes with a new process and its old instance, and takes its name
// over at once. Another worker of that name comes with another instance; whether the first still
// lives is seen by what is heard of it after the other has asked. Of two with one instance, which a
// copied spool folder makes, the process that was followed by another does not come back.
absl::Status Coordinator::CheckAlone(const JoinInput& input) {
  Session* const session = sessions_.FindWorker(input.worker);
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
    // A Join that was long on its way may have come after its worker was started again: of a
    // process that has said nothing since, it is not known that it lives.
    if (session->heard) return in_use(absl::StatusCode::kFailedPrecondition);
  } else if (session->instance == input.instance) {
    return absl::OkStatus();
  }
  const absl::Time now = Now();
  const absl::Duration left = session->seen + Silence() - now;
  if (left <= absl::ZeroDuration()) return absl::OkStatus();  // it is gone
  if (session->rival != input.process) {
    session->rival = input.process;
    session->rival_since = now;
  }
  if (session->seen > session->rival_since) {
    spdlog::warn("name_in_use worker={} session={}", input.worker, session->id);
    return in_use(absl::StatusCode::kFailedPrecondition);
  }
  return WithRetryAfter(in_use(absl::StatusCode::kUnavailable), std::min(left, pressure_.beat()));
}

void Coordinator::OpenSession(const SessionRow& row, const JoinInput& input, Calls& calls) {
  Session* const earlier = sessions_.FindWorker(row.worker);
  const SessionId fenced = earlier == nullptr ? 0 : earlier->id;
  Session session;
  session.id = row.session;
  session.worker = row.worker;
  session.seats = row.seats;
  session.engines = input.engines;
  session.build = row.build;
  session.process = input.process;
  session.instance = input.instance;
  if (earlier != nullptr) {
    session.followed = earlier->followed;
    if (earlier->process != input.process) session.followed.push_back(earlier->process);
    if (session.followed.size() > kFollowed) session.followed.erase(session.followed.begin());
  }
  session.labels = input.labels;
  session.memory_mb = input.memory_mb;
  session.cores = input.cores;
  session.kinds = input.kinds;
  session.seen = Now();
  FindServed(session);
  refused_.erase(row.worker);
  if (fenced > row.session) return;
  if (earlier != nullptr) CountAsServer(*earlier, false);
  sessions_.Open(std::move(session));
  CountAsServer(*sessions_.Find(row.session), true);
  ReplyToHeld(fenced, UnknownSession(fenced), calls);
  // A worker that was started anew plays nothing of what an earlier process was given.
  const std::vector<LeaseTable::Ended> ended = leases_.Abandon(row.worker, input.process);
  if (ended.empty()) return;
  spdlog::warn("worker_started_again worker={} leases_ended={}", row.worker, ended.size());
  EndLeases(ended, LeaseState::kAbandoned);
  ServeWaiters(calls);
  writer_->Nudge();
}

void Coordinator::FindServed(Session& session) {
  session.serves.clear();
  for (const auto& [id, run] : runs_) {
    if (run.state.alive() && MayServe(session, run)) session.serves.push_back(id);
  }
}

void Coordinator::CountAsServer(Session& session, bool counts) {
  if (session.counts == counts) return;
  session.counts = counts;
  for (const RunId id : session.serves) {
    uint32_t& servers = runs_.at(id).servers;
    servers = counts ? servers + 1 : servers - 1;
  }
}

void Coordinator::FindServers(RunId id) {
  Run& run = runs_.at(id);
  for (auto& [session_id, session] : sessions_.all()) {
    if (!MayServe(session, run)) continue;
    waiters_.AddRun(session_id, id);
    const std::vector<RunId>& serves = session.serves;
    if (std::find(serves.begin(), serves.end(), id) != serves.end()) continue;
    session.serves.push_back(id);
    if (session.counts) ++run.servers;
  }
}

bool Coordinator::MustDrain(const Session& session) const {
  return draining_ || drained_.count(session.worker) != 0;
}

absl::Status Coordinator::Later(absl::Status status, const std::lock_guard<TableMutex>&) {
  return WithRetryAfter(std::move(status), pressure_.RetryAfter(rng_));
}

absl::Status Coordinator::Later(absl::Status status) {
  const std::lock_guard lock(mutex_);
  return Later(std::move(status), lock);
}

absl::Status Coordinator::Busy() { return Later(QueueFull()); }

std::string Coordinator::WorkerOf(SessionId session_id) const {
  const std::lock_guard lock(mutex_);
  const Session* const session = sessions_.Find(session_id);
  return session == nullptr ? std::string() : session->worker;
}

absl::StatusOr<BeatOutput> Coordinator::Beat(SessionId session_id,
                                             const std::vector<LeaseProgress>& progress) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return ShuttingDown();
  Session* session = sessions_.Find(session_id);
  if (session == nullptr) return UnknownSession(session_id);
  const absl::Time now = Now();
  session->HeardAt(now);
  NoteLoad(now);
  BeatOutput output;
  output.beat = pressure_.beat();
  output.spread = pressure_.spread();
  if (pressure_.Sheds(Pressure::Level::kNoBeats)) return output;
  const uint32_t in_hand = leases_.OpenSlotsOf(session->worker);
  for (const LeaseProgress& lease : progress) {
    const Run* const run = FindRun(leases_.RunOf(lease.lease));
    const absl::Duration longest =
        run == nullptr ? absl::InfiniteDuration() : PaceOf(*run, *session).Longest(in_hand);
    const absl::Status renewed =
        leases_.Renew(lease.lease, session->worker, lease.plies, now, 4 * output.beat, longest);
    // A lease that is forgotten is finished, and nothing of it is left to abandon.
    if (!renewed.ok() && (leases_.IsOver(lease.lease) || leases_.IsLive(lease.lease))) {
      output.cancelled.push_back(lease.lease);
    }
  }
  output.drain = MustDrain(*session);
  return output;
}

void Coordinator::NoteCost(SessionId session_id, const WorkerCost& cost) {
  const std::lock_guard lock(mutex_);
  if (Session* const session = sessions_.Find(session_id)) session->cost = cost;
}

void Coordinator::Leave(SessionId session_id, std::vector<SlotRef> unplayed,
                        std::function<void(absl::Status)> done) {
  Calls calls;
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    Session* const session = sessions_.Find(session_id);
    if (stopping_) {
      status = ShuttingDown();
    } else if (session == nullptr) {
      status = UnknownSession(session_id);
    } else {
      std::vector<LeaseTable::Ended> ended;
      for (const SlotRef& slot : unplayed) {
        // A lease is named once for each of its slots; it ends at the first.
        auto lease = leases_.GiveBack(slot.lease, session->worker);
        if (lease.ok()) ended.push_back(*std::move(lease));
      }
      spdlog::info("worker_left worker={} session={} leases_given_back={}", session->worker,
                   session_id, ended.size());
      ledger_.OweLeft(session_id, NowMs());
      ReplyToHeld(session_id, UnknownSession(session_id), calls);
      CountAsServer(*session, false);
      sessions_.Close(session_id);
      EndLeases(ended, LeaseState::kGivenBack);
      ServeWaiters(calls);
    }
  }
  RunCalls(calls);
  if (!status.ok()) return done(status);
  Writer::Job job;
  job.write = [](Writer::Batch&) { return absl::OkStatus(); };  // the debt is what is written
  job.done = done;
  if (!writer_->Push(std::move(job))) done(Busy());
}

}  // namespace joseki::coordinator
