#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// One life of a worker.
struct Session {
  SessionId id = 0;
  std::string worker;
  uint32_t seats = 0;
  std::vector<EngineIdentity> engines;
  std::string build;
  uint64_t process = 0;
  uint64_t instance = 0;
  std::vector<uint64_t> followed;  // earlier processes of the worker, as far as known
  // A process of another worker that asks for this name, and the time of its request; 0: none.
  uint64_t rival = 0;
  absl::Time rival_since;
  WorkerCost cost;
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // per seat; 0: unknown
  uint32_t cores = 0;
  SlotKinds kinds;
  std::vector<RunId> serves;            // runs that are not over and that it can serve, ascending
  std::map<RunId, std::string> cannot;  // runs for which it reports too little memory
  bool counts = false;                  // whether it counts among the servers of those runs
  absl::Time seen;                      // the time of its last call
  bool heard = false;                   // a call came since its Join
  uint64_t games = 0;
  uint64_t faults = 0;

  void HeardAt(absl::Time now) {
    seen = now;
    heard = true;
  }
  // Whether the worker has the engine that the run requires, and meets its requirements. Properties
  // that the run does not name (signature, name, weights) may have any value.
  bool Serves(const RunSpec& spec) const;
  // Whether it has the engine of the run's opponent; true if there is none.
  bool HasOpponent(const RunSpec& spec) const;
  // The requirements that it does not meet, for people; empty if there are none.
  std::string Lacks(const Requirements& requirements) const;
};

// The live sessions: at most one per worker, the newest. Not thread-safe: guarded by the owner's
// mutex.
class SessionTable {
 public:
  // Adds a session and forgets the worker's earlier one. Returns false, without a change, if the
  // worker has a newer one.
  bool Open(Session session);
  // Null if unknown or superseded.
  Session* Find(SessionId id);
  const Session* Find(SessionId id) const;
  // The session of a worker; null if it has none.
  Session* FindWorker(const std::string& worker);
  const Session* FindWorker(const std::string& worker) const;
  void Close(SessionId id);

  const std::map<SessionId, Session>& all() const { return sessions_; }
  std::map<SessionId, Session>& all() { return sessions_; }

 private:
  std::map<SessionId, Session> sessions_;
  std::map<std::string, SessionId> by_worker_;
};

}  // namespace joseki::coordinator
