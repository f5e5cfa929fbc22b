#include "cli/run/search_notice.h"

#include "cli/words/phrases.h"
#include "coordinator/runs/search_budget.h"

namespace joseki::cli {
namespace {

// Whether the run would search along lines if its moves had a limit of nodes.
bool LacksNodes(const SpecArguments& arguments, coordinator::RunSpec spec) {
  if (spec.play.nodes > 0 || !WantsSearches(arguments)) return false;
  spec.play.nodes = 1;
  return SearchesUsually(spec);
}

}  // namespace

std::string SearchNotice(const SpecArguments& arguments, const coordinator::RunSpec& spec,
                         uint64_t positions, const Voice& voice) {
  if (!spec.line_searches.wanted()) {
    return LacksNodes(arguments, spec) ? voice.Say(phrase::kSearchesNeedNodes) : "";
  }
  const uint64_t searches = coordinator::SearchBudget::MostAnswers(spec);
  if (spec.games == 0 || searches >= positions) return "";
  return voice.Say(phrase::kFewSearches, searches, positions);
}

}  // namespace joseki::cli
