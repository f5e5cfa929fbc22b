#include "coordinator/scheduling/wait_list.h"

#include <cassert>

namespace joseki::coordinator {

void WaitList::Add(Waiter waiter, std::span<const RunId> runs, absl::Time deadline) {
  const SessionId session = waiter.input.session;
  assert(waiting_.count(session) == 0);
  Entry entry{std::move(waiter), ++arrivals_, deadline, {runs.begin(), runs.end()}};
  for (const RunId run : runs) queues_[run].emplace(entry.arrival, session);
  deadlines_.emplace(deadline, session);
  waiting_.emplace(session, std::move(entry));
}

std::optional<Waiter> WaitList::Take(SessionId session) {
  const auto at = waiting_.find(session);
  if (at == waiting_.end()) return std::nullopt;
  Entry entry = std::move(at->second);
  waiting_.erase(at);
  deadlines_.erase({entry.deadline, session});
  LeaveQueues(entry);
  return std::move(entry.waiter);
}

void WaitList::LeaveQueues(Entry& entry) {
  for (const RunId run : entry.runs) {
    const auto queue = queues_.find(run);
    queue->second.erase(entry.arrival);
    if (queue->second.empty()) queues_.erase(queue);
  }
  entry.runs.clear();
}

void WaitList::RemoveRuns(SessionId session) {
  const auto at = waiting_.find(session);
  if (at != waiting_.end()) LeaveQueues(at->second);
}

std::vector<SessionId> WaitList::Of(RunId run, size_t most) const {
  std::vector<SessionId> sessions;
  const auto queue = queues_.find(run);
  if (queue == queues_.end()) return sessions;
  for (const auto& [arrival, session] : queue->second) {
    if (sessions.size() == most) break;
    sessions.push_back(session);
  }
  return sessions;
}

std::vector<Waiter> WaitList::TakeExpired(absl::Time now) {
  std::vector<Waiter> expired;
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    expired.push_back(*Take(deadlines_.begin()->second));
  }
  return expired;
}

std::vector<Waiter> WaitList::TakeAll() { return TakeExpired(absl::InfiniteFuture()); }

void WaitList::AddRun(SessionId session, RunId run) {
  const auto at = waiting_.find(session);
  if (at == waiting_.end()) return;
  if (queues_[run].emplace(at->second.arrival, session).second) at->second.runs.push_back(run);
}

std::optional<SessionId> WaitList::First(std::span<const RunId> runs) const {
  const std::pair<const uint64_t, SessionId>* first = nullptr;
  for (const RunId run : runs) {
    const auto queue = queues_.find(run);
    if (queue == queues_.end()) continue;
    const auto& head = *queue->second.begin();
    if (first == nullptr || head.first < first->first) first = &head;
  }
  if (first == nullptr) return std::nullopt;
  return first->second;
}

}  // namespace joseki::coordinator
