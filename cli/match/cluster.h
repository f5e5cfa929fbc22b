#pragma once

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "cli/cluster/rpc.h"
#include "cli/match/file.h"
#include "cli/match/run.h"
#include "cli/match/settings.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// Plays the match on a coordinator's workers, as a run of its own kind. Pairs are granted and
// judged there (coordinator/runs/match_state.h); each game has the seed that it would have here.
// Equal settings and seed mean the same run: an interrupted command resumes it, and the run
// continues without the command. At the end of the match its games are written to `file`. `look` as
// in RunMatch.
//
// A coordinator that is gone once the run exists is asked again until it is back or `look` ends the
// match. `heard`, unless null, is called with the error once per loss, and with OK once it answers
// again.
//
// InvalidArgument for --starts, which only a match on this machine supports; "other_match" where
// `file` has a different game in the place of one of the run's.
absl::StatusOr<MatchRun> RunMatchOnCluster(const Rules& rules, const MatchSettings& settings,
                                           Cluster& cluster, MatchFile& file, book::Series& series,
                                           const std::function<bool()>& look,
                                           const std::function<void(const absl::Status&)>& heard);

}  // namespace joseki::cli
