#include "cli/run/policy_arguments.h"

#include <map>
#include <memory>
#include <utility>

#include "base/option_choice.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/policy.h"

namespace joseki::cli {
namespace {

constexpr char kDefault[] = "default";

std::vector<std::string> Texts(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> PairsOf(const std::vector<std::string>& texts,
                                                           const std::string& flag) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return MakeProblem(
          {.code = "usage", .file = flag, .found = Quote(text), .expected = "NAME=VALUE"});
    }
    if (!pairs.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return MakeProblem(
          {.code = "usage", .file = flag, .found = Quote(text), .expected = "each name once"});
    }
  }
  return pairs;
}

void AddPolicyOptions(CLI::App& command, std::string& policy, std::string& goal,
                      std::vector<std::string>& options) {
  std::vector<std::string> names = Texts(book::PolicyNames());
  names.emplace_back(kDefault);
  CLI::Option* const by_name =
      command.add_option("--policy", policy, "how lines are chosen and results move weights")
          ->check(OneOf(names))
          ->capture_default_str();
  command.add_option("--goal", goal, "what the book is tuned for, instead of a policy")
      ->check(OneOf(Texts(book::GoalNames())))
      ->excludes(by_name);
  command.add_option("--policy-option", options, "option of the policy")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

absl::StatusOr<book::NamedPolicy> PolicyOf(const std::string& policy, const std::string& goal,
                                           const std::vector<std::string>& options) {
  ASSIGN_OR_RETURN(auto given, PairsOf(options, "--policy-option"));
  book::NamedPolicy named{policy, {}};
  if (!goal.empty() || policy == kDefault) {
    ASSIGN_OR_RETURN(named, book::PolicyOfGoal(goal.empty() ? kDefault : goal));
  }
  given.merge(named.options);
  named.options = std::move(given);
  RETURN_IF_ERROR(book::MakePolicy(named.name, named.options).status());
  return named;
}

}  // namespace joseki::cli
