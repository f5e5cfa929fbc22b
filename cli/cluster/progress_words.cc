#include "cli/cluster/progress_words.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "book/stats/interval.h"

namespace joseki::cli {

std::string ProgressWords(const coordinator::RunStatus& run) {
  const coordinator::RunSpec& spec = run.spec;
  const uint64_t most = spec.match ? 2 * uint64_t{spec.match->pairs} : spec.games;
  std::string words = absl::StrCat(run.games_done);
  if (run.line_searches) {
    absl::StrAppend(&words, " games and searches worth ", run.line_searches->games);
  }
  if (most == 0) return words + " games";
  absl::StrAppendFormat(&words, " of %d games (%d %%)", most, run.games_spent() * 100 / most);
  return words;
}

std::string ExpectedWords(const coordinator::RunStatus& run) {
  if (!run.line_searches || !run.line_searches->expected) return "";
  const double score = *run.line_searches->expected;
  return absl::StrFormat("expected score %.1f %% (%+.0f Elo)", 100 * score, book::EloOf(score));
}

std::string SpentWords(const coordinator::RunStatus& run) {
  if (!run.line_searches) return "";
  return absl::StrCat("games ", run.games_done, ", answers ", run.line_searches->in_answers,
                      ", replies ", run.line_searches->in_replies, ", trials ",
                      run.line_searches->in_trials);
}

}  // namespace joseki::cli
