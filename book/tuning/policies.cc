#include <array>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/folding.h"
#include "book/tuning/bandits.h"
#include "book/tuning/graph_policies.h"
#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"
#include "book/tuning/response.h"
#include "book/tuning/result_driven.h"
#include "book/tuning/sample_average.h"

namespace joseki::book {
namespace {

using PolicyMaker = absl::StatusOr<std::unique_ptr<const Policy>> (*)(PolicyOptions);

constexpr std::array<std::pair<std::string_view, PolicyMaker>, 16> kPolicies = {{
    {"result-driven", &ResultDriven::Make},
    {"sample-average", &SampleAverage::MakeGreedy},
    {"epsilon-greedy", &SampleAverage::MakeEpsilonGreedy},
    {"recency", &MakeBandit<Recency>},
    {"softmax", &MakeBandit<Softmax>},
    {"optimistic", &MakeBandit<Optimistic>},
    {"ucb1", &MakeBandit<Ucb1>},
    {"ucb1-tuned", &MakeBandit<Ucb1Tuned>},
    {"kl-ucb", &MakeBandit<KlUcb>},
    {"thompson", &MakeBandit<Thompson>},
    {"puct", &MakeBandit<Puct>},
    {"graph-puct", &MakeBandit<GraphPuct>},
    {"graph-thompson", &MakeBandit<GraphThompson>},
    {"soft", &MakeBandit<SoftPolicy>},
    {"response", &MakeBandit<Response>},
    {"sequential-halving", &MakeBandit<SequentialHalving>},
}};

using Options = std::map<std::string, std::string>;

// Checks the option "fold". Every policy accepts it, because the tuner implements it, but not every
// policy can be folded.
absl::Status CheckFold(const Policy& policy, const std::string& fold) {
  std::string expected;
  if (fold != "yes" && fold != "no") {
    expected = "yes or no";
  } else if (fold == "yes" && !policy.order_free()) {
    expected = absl::StrCat("no: what ", std::string(policy.name()),
                            " makes of games depends on their order");
  } else if (fold == "yes" && policy.draw_value().first != DrawValue().first) {
    expected = "no, or a draw that is worth as much to either colour";
  }
  if (expected.empty()) return absl::OkStatus();
  return MakeProblem({"bad_policy_option", "--policy-option", 0,
                      Quote(absl::StrCat(kFoldOption, "=", fold)), std::move(expected)});
}

}  // namespace

bool Counts(const Policy& policy, const Ending& ending) {
  if (ending.result == Result::kNone || IsFault(ending.termination)) return false;
  return ending.result != Result::kDraw || policy.LearnsFromDraws();
}

absl::StatusOr<std::unique_ptr<const Policy>> MakePolicy(
    std::string_view name, const std::map<std::string, std::string>& options) {
  for (const auto& [known, make] : kPolicies) {
    if (known != name) continue;
    Options own = options;
    own.erase(kFoldOption);
    ASSIGN_OR_RETURN(std::unique_ptr<const Policy> policy, make(PolicyOptions(name, own)));
    if (const auto fold = options.find(kFoldOption); fold != options.end()) {
      RETURN_IF_ERROR(CheckFold(*policy, fold->second));
    }
    return policy;
  }
  return MakeProblem({"unknown_policy", "--policy", 0, Quote(name),
                      absl::StrJoin(PolicyNames(), ", ",
                                    [](std::string* out, std::string_view n) { out->append(n); })});
}

std::vector<std::string_view> PolicyNames() {
  std::vector<std::string_view> names;
  for (const auto& [known, make] : kPolicies) names.push_back(known);
  return names;
}

}  // namespace joseki::book
