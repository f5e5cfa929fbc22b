#include "coordinator/session_table.h"

#include <algorithm>
#include <utility>

namespace joseki::coordinator {

bool Session::Serves(const PlaySpec& play) const {
  return std::any_of(engines.begin(), engines.end(), [&](const EngineIdentity& engine) {
    return engine.id == play.engine_id &&
           (play.engine_signature == 0 || engine.signature == play.engine_signature) &&
           (play.engine_name.empty() || engine.name == play.engine_name) &&
           (play.weights_sha256.empty() || engine.weights_sha256 == play.weights_sha256);
  });
}

bool SessionTable::Open(Session session) {
  const auto known = by_worker_.find(session.worker);
  if (known != by_worker_.end()) {
    if (known->second > session.id) return false;
    sessions_.erase(known->second);
  }
  by_worker_[session.worker] = session.id;
  const SessionId id = session.id;
  sessions_[id] = std::move(session);
  return true;
}

Session* SessionTable::Find(SessionId id) {
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : &at->second;
}

const Session* SessionTable::Find(SessionId id) const {
  const auto at = sessions_.find(id);
  return at == sessions_.end() ? nullptr : &at->second;
}

Session* SessionTable::FindWorker(const std::string& worker) {
  const auto at = by_worker_.find(worker);
  return at == by_worker_.end() ? nullptr : Find(at->second);
}

void SessionTable::Close(SessionId id) {
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return;
  by_worker_.erase(at->second.worker);
  sessions_.erase(at);
}

void SessionTable::CloseSilent(absl::Time time) {
  std::vector<SessionId> silent;
  for (const auto& [id, session] : sessions_) {
    if (session.seen < time) silent.push_back(id);
  }
  for (const SessionId id : silent) Close(id);
}

}  // namespace joseki::coordinator
