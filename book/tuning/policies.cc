#include <array>
#include <string>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "book/tuning/bandits.h"
#include "book/tuning/graph_policies.h"
#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"
#include "book/tuning/response.h"
#include "book/tuning/result_driven.h"
#include "book/tuning/sample_average.h"

namespace joseki::book {
namespace {

using Maker = absl::StatusOr<std::unique_ptr<const Policy>> (*)(PolicyOptions);

constexpr std::array<std::pair<std::string_view, Maker>, 16> kPolicies = {{
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

}  // namespace

bool Counts(const Policy& policy, const Ending& ending) {
  if (ending.result == Result::kNone || IsFault(ending.termination)) return false;
  return ending.result != Result::kDraw || policy.LearnsFromDraws();
}

absl::StatusOr<std::unique_ptr<const Policy>> MakePolicy(
    std::string_view name, const std::map<std::string, std::string>& options) {
  for (const auto& [known, make] : kPolicies) {
    if (known == name) return make(PolicyOptions(name, options));
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
