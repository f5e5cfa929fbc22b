#pragma once

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

// The specification of a run as the database keeps it: one JSON object, every field of the table
// (spec_fields.h) by its name, and of match, opponent, own_book, taken_over and extension those
// that are there. Reading is strict: a missing or unknown key, a wrong type or a number out of
// range gets "bad_run_spec" with the key.
std::string SpecToJson(const RunSpec& spec);
absl::StatusOr<RunSpec> SpecFromJson(std::string_view json);

// The budget that the run was asked for last: when it was extended, or when it was created.
struct Budget {
  uint64_t games = 0;
  uint64_t seconds = 0;
};
Budget AskedBudget(const RunSpec& spec);

// Everything that evidence belongs to, in words that are equal where it is: engine and limits,
// rules, start and pairing. Runs of one profile may share their games.
std::string EvidenceProfile(const RunSpec& spec);

// Checks the rules that join several fields of play, of a run that is asked for; a problem's place
// is `prefix` and the field.
absl::Status CheckPlay(const PlaySpec& play, const std::string& prefix,
                       const FieldProblems& problems);

// Checks every field's bounds, the rules that join several fields, and that game, start position
// and policy exist. InvalidArgument "bad_run_spec" with the field, or the problem of the policy or
// the start position.
absl::Status CheckSpec(const Rules& rules, const RunSpec& spec);

// The policy of a run; a staged one shares the run's games out over its stages.
absl::StatusOr<std::shared_ptr<const book::Policy>> PolicyOf(const RunSpec& spec);

}  // namespace joseki::coordinator
