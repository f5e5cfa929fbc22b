#pragma once

#include <map>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "book/tuning/goals.h"

namespace joseki::cli {

// Options that name something and its value; `flag` is for the problem. InvalidArgument "usage" for
// a text that is none, or a name that comes twice.
absl::StatusOr<std::map<std::string, std::string>> PairsOf(const std::vector<std::string>& texts,
                                                           const std::string& flag);

// Adds --policy, --goal and --policy-option. What is given outlives the parse.
void AddPolicyOptions(CLI::App& command, std::string& policy, std::string& goal,
                      std::vector<std::string>& options);

// The policy that they ask for: that of the goal where one is given, or where the policy is called
// "default"; options that are given stand above the goal's. InvalidArgument with the flag in the
// problem.
absl::StatusOr<book::NamedPolicy> PolicyOf(const std::string& policy, const std::string& goal,
                                           const std::vector<std::string>& options);

}  // namespace joseki::cli
