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

// Goals of tuning, for people who do not want to choose a policy:
//   default  strong against opponents who err as people do, and hard to exploit
//   robust   least to be won against it by an opponent who knows the book
//   exploit  most to be won from opponents who play the book's frequencies
// InvalidArgument "unknown_goal".
absl::StatusOr<NamedPolicy> PolicyOfGoal(std::string_view goal);
std::vector<std::string_view> GoalNames();

}  // namespace joseki::book
