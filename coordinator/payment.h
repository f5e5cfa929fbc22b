#pragma once

#include "absl/status/status.h"
#include "coordinator/core/ledger.h"
#include "coordinator/gate.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// Writes the debt within the open transaction. After an error roll the transaction back, and return
// the debt to the ledger.
absl::Status Pay(const Debt& debt, RunStore& rows);

// Pays the ledger's debts at the end of every transaction. Used by the writer's thread.
class Payer {
 public:
  // `gate` must outlive this object.
  explicit Payer(Gate& gate) : gate_(gate) {}

  absl::Status PayAll(RunStore& rows);
  // To be called after the transaction; if it was rolled back, its debts are owed again.
  void EndTransaction(bool committed);

 private:
  Gate& gate_;
  Debt paying_;
};

}  // namespace joseki::coordinator
