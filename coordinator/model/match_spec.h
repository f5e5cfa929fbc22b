#pragma once

#include "absl/status/status.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Checks a run's settings against its match, beyond the bounds of its fields: "bad_run_spec".
absl::Status CheckMatch(const RunSpec& spec);

book::SeriesRules SeriesRulesOf(const MatchSpec& match);

// The game of a match that the slot plays, A being the run's own side. REQUIRES: kind kMatch.
book::SeriesGame GameOf(const Slot& slot);

}  // namespace joseki::coordinator
