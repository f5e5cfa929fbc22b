#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"

namespace joseki {

// The games that this program knows, by the names that databases, runs and the wire use. Games are
// looked up only here; all other code receives its rules.
std::vector<std::string> GameNames();

// InvalidArgument "unknown_game" if there are no rules for it.
absl::StatusOr<const Rules*> RulesOf(std::string_view game);

}  // namespace joseki
