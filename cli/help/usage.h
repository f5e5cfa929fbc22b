#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/settings.h"

namespace joseki::cli {

// A parse error as a sentence, "usage", that names the help of the innermost command given. A
// misspelt word gets a suggestion if a known word is close.
absl::Status UsageProblem(const CLI::ParseError& error, const CLI::App& app,
                          const SettingPlaces& places);

// The command of `app` that `words` name from the outside in; `app` itself for no words.
// InvalidArgument "usage", with a suggestion, if there is none.
absl::StatusOr<const CLI::App*> FindCommand(const CLI::App& app,
                                            const std::vector<std::string>& words);

}  // namespace joseki::cli
