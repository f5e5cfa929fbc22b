#include "book/tuning/goals.h"

#include "base/problem.h"

namespace joseki::book {
namespace {

struct Goal {
  std::string_view name;
  const char* tau;
  const char* explore;
};
constexpr Goal kGoals[] = {
    {"default", "0.1", "0.5"}, {"robust", "0.005", "1"}, {"exploit", "1000", "0.5"}};

}  // namespace

absl::StatusOr<NamedPolicy> PolicyOfGoal(std::string_view goal) {
  for (const Goal& known : kGoals) {
    if (known.name == goal) {
      return NamedPolicy{"response", {{"tau", known.tau}, {"explore", known.explore}}};
    }
  }
  return MakeProblem({.code = "unknown_goal",
                      .file = "--goal",
                      .found = Quote(goal),
                      .expected = "default, robust or exploit"});
}

std::vector<std::string_view> GoalNames() {
  std::vector<std::string_view> names;
  for (const Goal& goal : kGoals) names.push_back(goal.name);
  return names;
}

}  // namespace joseki::book
