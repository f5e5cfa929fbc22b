#include "cli/cluster/progress_words.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

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

}  // namespace joseki::cli
