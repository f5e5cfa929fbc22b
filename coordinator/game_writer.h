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

absl::Status WriteLeases(const Grants& leases, WriteBatch& batch);

// Writes submitted games, and finds games that exist under their keys: step 4 of a game's way
// (coordinator/core/intake.h). Used by the writer's thread.
class GameWriter {
 public:
  // `gate` must outlive this object.
  explicit GameWriter(Gate& gate) : gate_(gate) {}

  // Writes the rows and sets `insert` and the other findings of the items; called again if the
  // transaction has to be split.
  absl::Status Write(Submission& submission, int64_t now_ms, WriteBatch& batch);
  // To be called after a commit or rollback.
  void EndTransaction() { kept_.clear(); }

 private:
  absl::Status WriteEvaluation(SubmittedItem& item, WriteBatch& batch);
  // Whether a further conflict of the game's worker should be kept.
  bool KeepsConflicts(const GameRow& game) const;

  Gate& gate_;
  // Number of conflicts kept in the open transaction, by run and worker.
  std::map<std::pair<RunId, std::string>, uint32_t> kept_;
};

}  // namespace joseki::coordinator
