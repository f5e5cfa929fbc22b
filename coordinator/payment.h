#pragma once

#include "absl/status/status.h"
#include "coordinator/core/ledger.h"
#include "coordinator/gate.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// Pays the ledger's debts at the end of every transaction: step 5 of a game's way
// (coordinator/core/intake.h). Used by the writer's thread.
class Payer {
 public:
  // `gate` must outlive this object.
  explicit Payer(Gate& gate) : gate_(gate) {}

  // Writes all debts. After an error the transaction is to be rolled back.
  absl::Status PayAll(RunStore& rows);
  // To be called after the transaction; if it was rolled back, its debts are owed again.
  void EndTransaction(bool committed);

 private:
  Gate& gate_;
  Debt paying_;
};

}  // namespace joseki::coordinator
