#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki::book {

// A policy and its constants, as MakePolicy takes them.
struct NamedPolicy {
  std::string name;
  std::map<std::string, std::string> options;
};

// The policy of a tuning goal, for users who do not want to choose a policy.
//   default  strong against opponents that err as people do, and hard to exploit
//   robust   minimises the gain of an opponent that knows the book
//   exploit  maximises the gain against opponents that play the book's frequencies
// InvalidArgument "unknown_goal".
absl::StatusOr<NamedPolicy> PolicyOfGoal(std::string_view goal);
std::vector<std::string_view> GoalNames();

}  // namespace joseki::book
