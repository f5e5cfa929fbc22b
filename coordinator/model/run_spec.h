#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/field.h"
#include "book/tuning/policy.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The specification of a run in the database's form: one JSON object with every field of the table
// (spec_fields.h) by its name. The objects match, opponent, own_book, taken_over and extension are
// written only if they are set. Reading is strict: a missing or unknown key, a wrong type or a
// number out of range gets "bad_run_spec" with the key.
std::string SpecToJson(const RunSpec& spec);
absl::StatusOr<RunSpec> SpecFromJson(std::string_view json);

// The budget last requested for a run: by its last extension, or else at its creation.
struct Budget {
  uint64_t games = 0;
  uint64_t seconds = 0;
};
Budget AskedBudget(const RunSpec& spec);

// The number of games after which a run is done: two for each pair of a match. 0 = no such limit.
uint64_t GamesTarget(const RunSpec& spec);

// The profile to which evidence belongs, as text: engine and limits, rules, start and pairing. Runs
// of equal profiles may share their games.
std::string EvidenceProfile(const RunSpec& spec);

// Whether two runs of one profile may share their work along lines: both have such work, by the
// same limits.
bool SharesSearches(const RunSpec& a, const RunSpec& b);

// Checks the rules that join several fields of play, in a requested run. A problem's place is
// `prefix` and the field.
absl::Status CheckPlay(const PlaySpec& play, const std::string& prefix,
                       const FieldProblems& problems);

// Checks every field's bounds, the rules that join several fields, and that game, start position
// and policy exist. InvalidArgument "bad_run_spec" with the field, or the problem of the policy or
// the start position.
absl::Status CheckSpec(const Rules& rules, const RunSpec& spec);

// The policy of a run; a staged one divides the run's games among its stages.
absl::StatusOr<std::shared_ptr<const book::Policy>> PolicyOf(const RunSpec& spec);

}  // namespace joseki::coordinator
