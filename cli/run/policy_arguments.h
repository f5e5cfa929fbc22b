#pragma once

#include <map>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "book/tuning/goals.h"

namespace joseki::cli {

// Parses NAME=VALUE options; `flag` names the option in errors. InvalidArgument "usage" for a text
// of another form, or a name that comes twice.
absl::StatusOr<std::map<std::string, std::string>> PairsOf(const std::vector<std::string>& texts,
                                                           const std::string& flag);

// Adds --policy, --goal and --policy-option. The arguments outlive the parse.
void AddPolicyOptions(CLI::App& command, std::string& policy, std::string& goal,
                      std::vector<std::string>& options);

// The policy that the options ask for. A goal, or the policy "default", stands for a policy with
// options; options given explicitly override these. InvalidArgument with the flag in the problem.
absl::StatusOr<book::NamedPolicy> PolicyOf(const std::string& policy, const std::string& goal,
                                           const std::vector<std::string>& options);

}  // namespace joseki::cli
