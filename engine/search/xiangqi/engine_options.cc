#include "engine/search/xiangqi/engine_options.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::xiangqi {

absl::Status EngineOptions::Set(std::string_view name, std::string_view value) {
  if (name == kRepetitionOption) {
    const std::optional<RepetitionRule> rule = RepetitionRuleOf(value);
    if (!rule) {
      return MakeProblem({.code = "bad_option",
                          .found = absl::StrCat(Quote(name), " ", Quote(value)),
                          .expected = "asian, check or draw"});
    }
    repetition = *rule;
    return absl::OkStatus();
  }
  if (const EvaluationOption* option = FindOption(EvaluationOptionTable(), name)) {
    return SetOption(*option, value, evaluation);
  }
  if (const SearchOption* option = FindOption(SearchOptionTable(), name)) {
    return SetOption(*option, value, search);
  }
  return MakeProblem(
      {.code = "unknown_option",
       .found = Quote(name),
       .expected = "an option of the search or of the evaluation, or RepetitionRule"});
}

bool EngineOptions::Has(std::string_view name) {
  return name == kRepetitionOption || FindOption(EvaluationOptionTable(), name) != nullptr ||
         FindOption(SearchOptionTable(), name) != nullptr;
}

void EngineOptions::ApplyTo(Search<Xiangqi>& to) const {
  to.evaluator().SetRepetitionRule(repetition);
  to.evaluator().SetOptions(evaluation);
  to.SetOptions(search);
}

}  // namespace joseki::xiangqi
