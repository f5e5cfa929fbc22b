#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "cli/cluster/rpc.h"
#include "cli/match/file.h"
#include "cli/match/run.h"
#include "cli/match/settings.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// Plays the match on the workers of a coordinator, as a run of its own kind: pairs are handed out
// and judged there (coordinator/runs/match_state.h), each game by the seed that it would have here.
// The same settings and seed are the same run, so a command that was broken off goes on with it;
// the run goes on without the command. When the match is over its games are written to `file`.
// `look` as RunMatch has it.
//
// InvalidArgument for --starts, which a match of this machine alone can do; "other_match" where
// `file` has another game than the run in the place of one.
absl::StatusOr<MatchRun> RunMatchOnCluster(const Rules& rules, const MatchSettings& settings,
                                           Cluster& cluster, MatchFile& file, book::Series& series,
                                           const std::function<bool()>& look);

}  // namespace joseki::cli
