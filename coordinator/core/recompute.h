#pragma once

#include <map>
#include <memory>
#include <optional>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"
#include "coordinator/runs/prior_making.h"
#include "coordinator/runs/rebuild.h"

namespace joseki::coordinator {

// Work on a run that is too long for an event. It copies its input from the tables, runs without
// them, and hands its result in, piece by piece. Call functions that return bool until they return
// false.

// Evidence of an earlier trust, to be recomputed.
struct DueRebuild {
  RunId run = 0;
  absl::Time began;
  RebuildPoint point;
};
// Runs that are not rebuilt before some time, as an attempt has failed.
using PutOff = std::map<RunId, absl::Time>;
// Runs that play come first.
std::optional<DueRebuild> BeginRebuild(Tables& tables, const PutOff& put_off = {});
bool AdoptRebuilt(Tables& tables, RunId run, absl::Time began, RebuiltRun& rebuilt);

// Priors of a large book, to be made anew.
struct DuePriors {
  RunId run = 0;
  PriorMaking making;
};
std::optional<DuePriors> BeginPriors(const Tables& tables);
// Copies results for them; kVoid if they are no longer needed.
Progress CopyForPriors(Tables& tables, DuePriors& priors);
bool AdoptPriors(Tables& tables, DuePriors& priors);

// Whether there is evidence or are priors to be recomputed.
bool AnyIsDue(const Tables& tables);

// Weights of a run with re-entry, of which it wants a copy.
struct DueCopy {
  RunId run = 0;
  std::shared_ptr<const book::Weights> of;
};
std::optional<DueCopy> FindCopy(const Tables& tables);
void GiveCopy(Tables& tables, const DueCopy& due, book::Weights&& copy);
// Recomputes copies after new priors.
bool WeighSome(Tables& tables);

}  // namespace joseki::coordinator
