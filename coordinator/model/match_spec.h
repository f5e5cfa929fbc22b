#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {

// The match of a run's specification, as the database keeps it. Reading is strict, as
// SpecFromJson's.
nlohmann::json MatchToJson(const MatchSpec& match);
absl::StatusOr<MatchSpec> MatchFromJson(const nlohmann::json& json);
nlohmann::json BookUseToJson(const BookUse& use);
absl::StatusOr<BookUse> BookUseFromJson(const nlohmann::json& json);

// The bounds of proto/joseki/v1, and what a match asks of the rest of the run: "bad_run_spec".
absl::Status CheckMatch(const RunSpec& spec);

book::SeriesRules SeriesRulesOf(const MatchSpec& match);

// Which game of its match the slot is, A being the run's own side. REQUIRES: kind kMatch.
book::SeriesGame GameOf(const Slot& slot);

}  // namespace joseki::coordinator
