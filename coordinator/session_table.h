#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/messages.h"

namespace joseki::coordinator {

// One life of a worker.
struct Session {
  SessionId id = 0;
  std::string worker;
  uint32_t slots = 0;
  std::vector<EngineIdentity> engines;
  std::string build;
  absl::Time seen;  // of its last call
  uint64_t games = 0;
  uint64_t faults = 0;
  uint64_t conflicts = 0;
  bool draining = false;

  // Whether the worker has the engine that the run wants. What the run does not name
  // (signature, name, weights) may be any.
  bool Serves(const PlaySpec& play) const;
};

// Which sessions are alive: at most one a worker, the newest. Not thread-safe: guarded by the
// owner's mutex.
class SessionTable {
 public:
  // Adds a session and forgets the worker's earlier one. False, and nothing happens, if the worker
  // has a newer one.
  bool Open(Session session);
  // Null if unknown or superseded.
  Session* Find(SessionId id);
  const Session* Find(SessionId id) const;
  // The session of a worker; null if it has none.
  Session* FindWorker(const std::string& worker);
  void Close(SessionId id);
  // Forgets sessions that nothing was heard of since `time`.
  void CloseSilent(absl::Time time);

  const std::map<SessionId, Session>& all() const { return sessions_; }
  std::map<SessionId, Session>& all() { return sessions_; }

 private:
  std::map<SessionId, Session> sessions_;
  std::map<std::string, SessionId> by_worker_;
};

}  // namespace joseki::coordinator
