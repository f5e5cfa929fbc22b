#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/model/new_weights.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/rows.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

// Changes made in memory alone, to be written in one transaction (coordinator/payment.h).
struct Debt {
  std::map<LeaseId, LeaseState> leases;
  std::map<RunId, RunRow> runs;
  std::vector<std::pair<RunId, PoisonedLine>> poisoned;  // poisoned or freed
  std::map<SessionId, int64_t> left;                     // with the time, in Unix milliseconds
  std::vector<PriorSet> priors;
  std::vector<NewWeights> weights;
  std::vector<TrustChange> trust;
  std::map<RunId, uint64_t> dropped;  // void checkpoints, with the trust that their evidence now
                                      // has
  std::vector<std::pair<RunId, SlotRef>> closed;  // games that no longer need their copies
};

// The ledger of what memory owes the database.
//
// Take moves the whole debt to the next transaction, whichever that is, so no consequence of a debt
// is committed before it. If the transaction fails, Return puts the debt back. A row that has
// changed meanwhile keeps its newer state, and lists keep their order.
//
// A lease may end while its own row is still on its way to the database. Its end is owed only from
// RowWritten on; after RowFailed there is nothing to write.
//
// Pure; not thread-safe: guarded by the owner's mutex.
class Ledger {
 public:
  // The newest state of a row replaces an earlier one that is still owed.
  void Owe(const RunRow& run) { debt_.runs[run.run] = run; }
  void OweLeft(SessionId session, int64_t left_ms) { debt_.left[session] = left_ms; }
  // Each of the following is written, in order.
  void Owe(RunId run, PoisonedLine line) { debt_.poisoned.emplace_back(run, std::move(line)); }
  void Owe(const PriorSet& priors) { debt_.priors.push_back(priors); }
  void Owe(NewWeights weights) { debt_.weights.push_back(std::move(weights)); }
  void Owe(TrustChange change) { debt_.trust.push_back(std::move(change)); }
  void OweClosedCopies(RunId run, const SlotRef& game) { debt_.closed.emplace_back(run, game); }

  // The run's checkpoint is void: its evidence was recomputed with the trust up to this change.
  void OweDroppedCheckpoint(RunId run, uint64_t trust_change) { debt_.dropped[run] = trust_change; }
  // Whether the drop of a checkpoint is still owed; a new one written before it would be dropped,
  // too.
  bool OwesDroppedCheckpoint(RunId run) const { return debt_.dropped.count(run) != 0; }

  // The lease's row is on its way; one of the next two must follow.
  void ExpectRow(LeaseId lease) { unwritten_.emplace(lease, std::nullopt); }
  void RowWritten(LeaseId lease);
  void RowFailed(LeaseId lease) { unwritten_.erase(lease); }
  void OweEnd(LeaseId lease, LeaseState state);

  Debt Take() { return std::exchange(debt_, {}); }
  // Puts back a debt from Take that could not be committed.
  void Return(Debt debt);

 private:
  Debt debt_;
  std::map<LeaseId, std::optional<LeaseState>> unwritten_;  // with the manner of their end
                                                            // meanwhile
};

}  // namespace joseki::coordinator
