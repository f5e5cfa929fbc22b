#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/core/submission.h"
#include "coordinator/gate.h"
#include "coordinator/store/writer.h"

namespace joseki::coordinator {

absl::Status WriteLeases(const std::vector<Granted>& leases, Writer::Batch& batch);

// Writes submitted games, and finds out what is under their keys already: step 4 of a game's way
// (coordinator/core/intake.h). Of the writer's thread.
class GameWriter {
 public:
  // `gate` must outlive this.
  explicit GameWriter(Gate& gate) : gate_(gate) {}

  // Sets `insert` and what else of the items the rows tell; called again if the transaction has to
  // be taken apart.
  absl::Status Write(Submission& submission, int64_t now_ms, Writer::Batch& batch);
  // The transaction was committed, or rolled back.
  void EndTransaction() { kept_.clear(); }

 private:
  absl::Status WriteEvaluation(SubmittedItem& item, Writer::Batch& batch);
  // Whether a conflict of the worker that sent it is still news.
  bool KeepsConflicts(const GameRow& game) const;

  Gate& gate_;
  // Conflicts that were kept in the open transaction, by run and worker.
  std::map<std::pair<RunId, std::string>, uint32_t> kept_;
};

}  // namespace joseki::coordinator
