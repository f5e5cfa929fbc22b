#include "cli/experiment/contestants.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/tuning/policy.h"
#include "cli/run/policy_arguments.h"

namespace joseki::cli {
namespace {

// Whether the run of this policy gets evaluations: they are asked for, and it learns from them.
bool TakesPriors(const Laboratory& lab, const std::string& policy) {
  if (!lab.arguments().priors) return false;
  const auto named = PolicyOf(policy, "", {});
  if (!named.ok()) return false;
  const auto made = book::MakePolicy(named->name, named->options);
  return made.ok() && (*made)->estimator() != nullptr;
}

}  // namespace

int PairedColumn(const ExperimentArguments& arguments) {
  constexpr int kThesis = 3;  // of tables 3.2 and 3.3
  const std::vector<int>& columns = arguments.columns;
  return std::count(columns.begin(), columns.end(), kThesis) > 0 ? kThesis : columns.back();
}

TunePlan ResultDriven(const Laboratory& lab, int column) {
  const uint64_t games = lab.arguments().games * static_cast<uint64_t>(column);
  return {absl::StrCat("type6-", column),
          "type1",
          "result-driven",
          {{"column", absl::StrCat(column)}, {"games", absl::StrCat(games)}},
          MostGames(kStages * games)};
}

TunePlan EpsilonGreedy(const Laboratory& lab) {
  const uint64_t games = lab.arguments().games;
  return {
      "type7", "type1", "epsilon-greedy", {{"games", absl::StrCat(games, ",", games)}}, 4 * games};
}

TunePlan OtherPolicy(const Laboratory& lab, const std::string& policy) {
  const uint64_t games = kStages * lab.arguments().games;
  if (policy == "result-driven") {
    return {"policy-" + policy,
            "type2",
            policy,
            {{"start", "frequency"}, {"games", absl::StrCat(lab.arguments().games)}},
            MostGames(games)};
  }
  const bool priors = TakesPriors(lab, policy);
  return {absl::StrCat("policy-", policy, priors ? "-evaluations" : ""),
          "type2",
          policy,
          {},
          games,
          priors};
}

std::string LabelOf(const Laboratory& lab, const std::string& policy) {
  return policy +
         (TakesPriors(lab, policy) ? ", from frequency and evaluations" : ", from frequency");
}

absl::StatusOr<PlayableBook> TypePlayer(Laboratory& lab, const std::string& type) {
  ASSIGN_OR_RETURN(std::string path, lab.TypeBook(type));
  return PlayableBook{"Type-" + type.substr(4), std::move(path)};
}

absl::StatusOr<PlayableBook> StagePlayer(Laboratory& lab, int stages, int column) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(ResultDriven(lab, column)));
  return PlayableBook{absl::StrCat("Type-6[", stages, "-", column, "]"),
                      absl::StrCat(path, "#1/", stages)};
}

absl::StatusOr<PlayableBook> GreedyPlayer(Laboratory& lab, int batches) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(EpsilonGreedy(lab)));
  // The answer is the tried move with the best mean, so that no ties are left to chance.
  return PlayableBook{absl::StrCat("Type-7[", batches, "-1]"), absl::StrCat(path, "#1/", batches),
                      /*ties_by_chance=*/false};
}

absl::StatusOr<PlayableBook> PolicyPlayer(Laboratory& lab, const std::string& policy) {
  ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(OtherPolicy(lab, policy)));
  return PlayableBook{LabelOf(lab, policy), path + "#1", /*ties_by_chance=*/false};
}

}  // namespace joseki::cli
