#pragma once

#include "absl/status/status.h"
#include "coordinator/core/ledger.h"
#include "coordinator/gate.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// Writes the debt within the open transaction. After an error the transaction has to be rolled
// back, and the ledger gets the debt back.
absl::Status Pay(const Debt& debt, RunStore& rows);

// Pays what the ledger holds at the end of every transaction. Of the writer's thread.
class Payer {
 public:
  // `gate` must outlive this.
  explicit Payer(Gate& gate) : gate_(gate) {}

  absl::Status PayAll(RunStore& rows);
  // The transaction was committed, or rolled back: then all of it is owed again.
  void EndTransaction(bool committed);

 private:
  Gate& gate_;
  Debt paying_;
};

}  // namespace joseki::coordinator
