#pragma once

#include "absl/status/status.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Checks the rest of a run against its match, beyond the bounds of its fields: "bad_run_spec".
absl::Status CheckMatch(const RunSpec& spec);

book::SeriesRules SeriesRulesOf(const MatchSpec& match);

// Which game of its match the slot is, A being the run's own side. REQUIRES: kind kMatch.
book::SeriesGame GameOf(const Slot& slot);

}  // namespace joseki::coordinator
