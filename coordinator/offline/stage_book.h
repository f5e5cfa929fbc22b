#pragma once

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The run at the end of its first `stages` stages: evidence and counters of their games alone, from
// the game rows. Its row and commit_seq are the current ones. FailedPrecondition "no_such_stage"
// unless the policy has that many stages and the run has finished them; errors as LoadRun.
absl::StatusOr<LoadedRun> LoadRunAfterStages(book::Store& store, const Rules& rules, RunId run,
                                             int stages);

}  // namespace joseki::coordinator
