#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"

namespace joseki {

// The games that this program knows, by the word that databases, runs and the wire carry. The one
// place where a game is looked up; everything else is handed its rules.
std::vector<std::string> GameNames();

// InvalidArgument "unknown_game" where there are no rules for it.
absl::StatusOr<const Rules*> RulesOf(std::string_view game);

}  // namespace joseki
