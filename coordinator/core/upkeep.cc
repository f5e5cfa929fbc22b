#include "coordinator/core/upkeep.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "coordinator/core/ended_leases.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/serving.h"
#include "coordinator/core/verify.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kForgetSessions = absl::Hours(24);
constexpr size_t kExpiredAtOnce = 8;  // leases expired before others get the mutex
constexpr size_t kSessionsAtOnce = 256;
constexpr absl::Duration kCountServers = absl::Seconds(2);
constexpr absl::Duration kChores = absl::Seconds(5);
// Longest plausible tick; a longer one means that the clock was set.
constexpr absl::Duration kLongestTick = absl::Minutes(5);

}  // namespace

Upkeep::Upkeep(absl::Time began, absl::Duration chores)
    : chores_(std::min(kChores, chores)), last_tick_(began), last_chores_(began) {}

bool Upkeep::CountSome(Tables& tables) {
  const absl::Time now = tables.moment.now;
  if (!counting_) {
    if (now - last_count_ < kCountServers) return false;
    NoteLoad(tables);
    last_count_ = now;
    silence_ = Silence(tables);
    counting_ = 0;
  }
  std::map<SessionId, Session>& sessions = tables.sessions.all();
  auto at = sessions.upper_bound(*counting_);
  for (size_t i = 0; i < kSessionsAtOnce && at != sessions.end(); ++i, ++at) {
    Session& session = at->second;
    counting_ = at->first;
    if (last_count_ - session.seen > kForgetSessions) forgotten_.push_back(at->first);
    std::erase_if(session.serves,
                  [&](RunId run) { return tables.runs.at(run).state.row().over(); });
    session.counts = last_count_ - session.seen <= silence_ && !MustDrain(tables, session);
    tables.notes.sessions.insert(at->first);
  }
  if (at != sessions.end()) return true;
  for (const SessionId id : std::exchange(forgotten_, {})) {
    const Session* const session = tables.sessions.Find(id);
    if (session != nullptr && last_count_ - session->seen > kForgetSessions) {
      tables.sessions.Close(id);
      tables.notes.sessions.insert(id);
    }
  }
  counting_.reset();
  return false;
}

void Upkeep::BeginTick(Tables& tables) {
  NoteLoad(tables);
  ExpireLeases(tables);
  AddPlayedTime(tables);
  tables.notes.serve = true;
}

bool Upkeep::EndTick(Tables& tables) {
  const absl::Time now = tables.moment.now;
  for (Waiter& waiter : tables.serving.waiters.TakeExpired(now)) {
    tables.effects.replies.push_back([done = std::move(waiter.done)] { done(AcquireOutput()); });
  }
  if (now - last_chores_ < chores_) return false;
  last_chores_ = now;
  QuarantineOutliers(tables);
  for (const auto& [id, run] : tables.runs) {
    if (run.state.row().running()) tables.ledger.Owe(run.state.row());
  }
  tables.effects.write = true;
  return true;
}

void Upkeep::ExpireLeases(Tables& tables) {
  // A coordinator that cannot write cannot accept games either: no lease may expire for that.
  if (!tables.holds.storage.empty()) return;
  if (tables.serving.pressure.Sheds(Pressure::Level::kNoBeats)) {
    expiry_stopped_ = true;
    return;
  }
  const absl::Time now = tables.moment.now;
  if (std::exchange(expiry_stopped_, false)) tables.leases.RenewAll(now);
  const std::vector<LeaseTable::Ended> ended = tables.leases.Expire(now, kExpiredAtOnce);
  if (ended.empty()) return;
  if (ended.size() == kExpiredAtOnce) tables.effects.again = true;
  for (const LeaseTable::Ended& lease : ended) {
    tables.effects.Warn("lease_expired lease={} run={} worker={} slots={}", lease.lease, lease.run,
                        lease.worker, lease.open.size());
  }
  EndLeases(tables, ended, LeaseState::kExpired);
  tables.effects.write = true;
}

void Upkeep::AddPlayedTime(Tables& tables) {
  const absl::Time now = tables.moment.now;
  const absl::Duration since = now - last_tick_;
  if (since > kLongestTick) last_tick_ = now - kLongestTick;
  const int64_t ms = absl::ToInt64Milliseconds(std::min(since, kLongestTick));
  last_tick_ += absl::Milliseconds(ms);
  if (!tables.holds.storage.empty() || ms == 0) return;
  for (auto& [id, run] : tables.runs) {
    if (!run.state.row().running()) continue;
    run.state.AddPlayedMs(ms);
    tables.Touch(id);
  }
}

void NoteDisk(Tables& tables, DiskLevel level, std::string problem) {
  tables.holds.disk = level;
  tables.holds.disk_problem = std::move(problem);
}

void NoteStorage(Tables& tables, std::string problem) {
  tables.holds.storage = std::move(problem);
  if (tables.holds.storage.empty()) tables.leases.RenewAll(tables.moment.now);
}

std::vector<Waiter> StopGranting(Tables& tables) {
  tables.holds.stopping = true;
  return tables.serving.waiters.TakeAll();
}

void OweRuns(Tables& tables) {
  for (const auto& [id, run] : tables.runs) tables.ledger.Owe(run.state.row());
}

void DropDebts(Tables& tables) { tables.ledger = {}; }

}  // namespace joseki::coordinator
