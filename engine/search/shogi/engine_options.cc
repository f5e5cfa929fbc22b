#include "engine/search/shogi/engine_options.h"

#include "base/problem.h"
#include "base/status_macros.h"

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

absl::Status EngineOptions::SetAll(std::span<const std::string> settings) {
  for (const std::string& text : settings) {
    const size_t equals = text.find('=');
    const std::string value = equals == std::string::npos ? "true" : text.substr(equals + 1);
    RETURN_IF_ERROR(Set(text.substr(0, equals), value));
  }
  return absl::OkStatus();
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
