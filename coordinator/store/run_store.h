#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/rows.h"
#include "coordinator/store/copy_rows.h"
#include "coordinator/store/evidence_rows.h"
#include "coordinator/store/game_rows.h"
#include "coordinator/store/lease_rows.h"
#include "coordinator/store/poisoned_rows.h"
#include "coordinator/store/run_rows.h"
#include "coordinator/store/session_rows.h"
#include "coordinator/store/trust_rows.h"

namespace joseki::coordinator {

// The rows of runs in a database, table by table, over one connection. Functions of the tables take
// part in the open transaction. Statements are prepared once and kept. Thread rule: as the Store it
// stands on.
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
  // For tables whose functions take the database itself (weight_store.h, evaluation_store.h).
  book::Store& store();

  // Transactions. Begin takes the write lock at once; Unavailable while another program holds it.
  // After a failed Commit or any failed function, Rollback undoes all since Begin; it never fails.
  absl::Status Begin();
  absl::Status Commit();
  void Rollback();

  // Begins to read one state of the database, until EndRead. Inside another read the state is the
  // outer one's.
  absl::Status BeginRead();
  void EndRead();

  const std::string& epoch() const;
  absl::StatusOr<Marks> ReadMarks();
  // Tests whether writing works again: writes and commits some rows, then deletes them.
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
