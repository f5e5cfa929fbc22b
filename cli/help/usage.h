#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/settings.h"

namespace joseki::cli {

// What is wrong with a command line, "usage", as a sentence that names the help to read: of the
// innermost command that `app` came to. A word that is close to what there is is told.
absl::Status UsageProblem(const CLI::ParseError& error, const CLI::App& app,
                          const SettingPlaces& places);

// The command of `app` that `words` name from the outside in; `app` itself for no words.
// InvalidArgument "usage", with what may have been meant, if there is none.
absl::StatusOr<const CLI::App*> FindCommand(const CLI::App& app,
                                            const std::vector<std::string>& words);

}  // namespace joseki::cli
