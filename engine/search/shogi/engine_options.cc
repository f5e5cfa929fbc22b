#include "engine/search/shogi/engine_options.h"

#include "base/problem.h"

namespace joseki::shogi {

absl::Status EngineOptions::Set(std::string_view name, std::string_view value) {
  if (const EvaluationOption* option = FindOption(EvaluationOptionTable(), name)) {
    return SetOption(*option, value, evaluation);
  }
  if (const SearchOption* option = FindOption(SearchOptionTable(), name)) {
    return SetOption(*option, value, search);
  }
  return MakeProblem({.code = "unknown_option",
                      .file = {},
                      .line = 0,
                      .found = Quote(name),
                      .expected = "an option that usi lists"});
}

bool EngineOptions::Has(std::string_view name) {
  return FindOption(EvaluationOptionTable(), name) != nullptr ||
         FindOption(SearchOptionTable(), name) != nullptr;
}

void EngineOptions::ApplyTo(Search<Shogi>& to) const {
  to.evaluator().SetOptions(evaluation);
  to.SetOptions(search);
}

}  // namespace joseki::shogi
