#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/store/copy_rows.h"
#include "coordinator/store/evidence_rows.h"
#include "coordinator/store/game_rows.h"
#include "coordinator/store/lease_rows.h"
#include "coordinator/store/poisoned_rows.h"
#include "coordinator/store/run_rows.h"
#include "coordinator/store/session_rows.h"
#include "coordinator/store/trust_rows.h"

namespace joseki::coordinator {

// The numbers that come next, after all that were ever used.
struct Marks {
  RunId run = 1;
  LeaseId lease = 1;
  SessionId session = 1;
  uint64_t commit_seq = 0;  // the last one used
};

// What runs leave in a database, table by table, over one connection. Verbs of the tables take part
// in the transaction that is open. Statements are prepared once and kept. Thread rule: as the Store
// it stands on.
class RunStore {
 public:
  explicit RunStore(book::Store& store);
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  RunRows& runs() { return runs_; }
  SessionRows& sessions() { return sessions_; }
  LeaseRows& leases() { return leases_; }
  PoisonedRows& poisoned() { return poisoned_; }
  GameRows& games() { return games_; }
  CopyRows& copies() { return copies_; }
  EvidenceRows& evidence() { return evidence_; }
  TrustRows& trust() { return trust_; }
  // For the tables whose verbs take the database itself (weight_store.h, evaluation_store.h).
  book::Store& store();

  // One transaction. Begin takes the write lock at once, Unavailable while another program holds
  // it. After a failed Commit or any failed verb, Rollback undoes all since Begin; it never fails.
  absl::Status Begin();
  absl::Status Commit();
  void Rollback();

  // Everything until EndRead, which alone ends it, sees one state of the database. May stand inside
  // another one, which then says which state.
  absl::Status BeginRead();
  void EndRead();

  const std::string& epoch() const;
  absl::StatusOr<Marks> ReadMarks();
  // Writes and commits something of some size, then takes it away: whether writing works again.
  absl::Status Probe();

 private:
  const std::unique_ptr<Statements> sql_;
  RunRows runs_;
  SessionRows sessions_;
  LeaseRows leases_;
  PoisonedRows poisoned_;
  GameRows games_;
  CopyRows copies_;
  EvidenceRows evidence_;
  TrustRows trust_;
};

}  // namespace joseki::coordinator
