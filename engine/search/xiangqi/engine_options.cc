#include "engine/search/xiangqi/engine_options.h"

#include "base/problem.h"

namespace joseki::xiangqi {

absl::Status EngineOptions::Set(std::string_view name, std::string_view value) {
  if (const SearchOption* option = FindOption(SearchOptionTable(), name)) {
    return SetOption(*option, value, search);
  }
  return MakeProblem(
      {.code = "unknown_option", .found = Quote(name), .expected = "an option of the search"});
}

bool EngineOptions::Has(std::string_view name) {
  return FindOption(SearchOptionTable(), name) != nullptr;
}

void EngineOptions::ApplyTo(Search<Xiangqi>& to) const { to.SetOptions(search); }

}  // namespace joseki::xiangqi
