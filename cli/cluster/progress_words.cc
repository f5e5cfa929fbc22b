#include "cli/cluster/progress_words.h"

#include <cstdint>

#include "absl/strings/str_format.h"
#include "book/stats/interval.h"
#include "cli/words/phrases.h"

namespace joseki::cli {

std::string ProgressWords(const coordinator::RunStatus& run, const Voice& voice) {
  const coordinator::RunSpec& spec = run.spec;
  const uint64_t most = spec.match ? 2 * uint64_t{spec.match->pairs} : spec.games;
  const uint64_t percent = most == 0 ? 0 : run.games_spent() * 100 / most;
  if (!run.line_searches) {
    return most == 0 ? voice.Say(phrase::kGamesDone, run.games_done)
                     : voice.Say(phrase::kGamesOf, run.games_done, most, percent);
  }
  const uint64_t searches = run.line_searches->games;
  return most == 0
             ? voice.Say(phrase::kGamesAndSearches, run.games_done, searches)
             : voice.Say(phrase::kGamesAndSearchesOf, run.games_done, searches, most, percent);
}

std::string ExpectedWords(const coordinator::RunStatus& run, const Voice& voice) {
  if (!run.line_searches || !run.line_searches->expected) return "";
  const double score = *run.line_searches->expected;
  return voice.Say(phrase::kExpectedScore, absl::StrFormat("%.1f", 100 * score),
                   absl::StrFormat("%+.0f", book::EloOf(score)));
}

std::string SpentWords(const coordinator::RunStatus& run, const Voice& voice) {
  if (!run.line_searches) return "";
  return voice.Say(phrase::kSpent, run.games_done, run.line_searches->in_answers,
                   run.line_searches->in_replies, run.line_searches->in_trials);
}

}  // namespace joseki::cli
