#pragma once

#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The run as it was when its first `stages` stages were over: evidence and counters of their games
// alone, from the game rows. Its row and commit_seq are those of now. FailedPrecondition
// "no_such_stage" unless the policy has that many stages and the run is past them; errors as
// LoadRun.
absl::StatusOr<LoadedRun> LoadRunAfterStages(book::Store& store, const Rules& rules, RunId run,
                                             int stages);

}  // namespace joseki::coordinator
