#include "coordinator/model/match_spec.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

absl::Status BadMatchField(const std::string& key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_run_spec",
                      .file = key,
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

absl::Status CheckSprt(const book::Sprt& sprt) {
  if (!(sprt.elo0 < sprt.elo1)) {
    return BadMatchField("match.elo0", absl::StrCat(sprt.elo0, " and ", sprt.elo1),
                         "two bounds within 1000, the first below the second");
  }
  for (const double chance : {sprt.alpha, sprt.beta}) {
    if (!(chance > 0 && chance < 0.5)) {
      return BadMatchField("match.alpha", absl::StrCat(chance), "alpha and beta between 0 and 0.5");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckMatch(const RunSpec& spec) {
  const PlaySpec& play = spec.play;
  if (!spec.match) {
    if (play.own_book) return BadMatchField("own_book", "a book to play from", "a match");
    return absl::OkStatus();
  }
  const MatchSpec& match = *spec.match;
  if (!play.opponent) return BadMatchField("match", "without an opponent", "an opponent");
  if (play.re_entry) return BadMatchField("re_entry", "true", "false in a match");
  if (spec.games > 0)
    return BadMatchField("games", absl::StrCat(spec.games), "0: a match has pairs");
  if (spec.line_searches.wanted()) {
    return BadMatchField("line_searches", "asked for", "none: a match has no book to learn");
  }
  if (spec.priors.wanted())
    return BadMatchField("priors", "asked for", "none: a match has no book to learn");
  if (spec.stop != StopRules{})
    return BadMatchField("stop", "rules to stop by", "none: a match has its own");
  return match.sprt ? CheckSprt(*match.sprt) : absl::OkStatus();
}

book::SeriesRules SeriesRulesOf(const MatchSpec& match) {
  book::SeriesRules rules;
  rules.pairs = match.pairs;
  rules.sprt = match.sprt;
  return rules;
}

book::SeriesGame GameOf(const Slot& slot) {
  return {slot.pair, slot.attempt, slot.own == Color::kFirst};
}

}  // namespace joseki::coordinator
