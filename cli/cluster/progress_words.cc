#include "cli/cluster/progress_words.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "book/stats/interval.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/model/run_spec.h"

namespace joseki::cli {

std::string ProgressWords(const coordinator::RunStatus& run, const Voice& voice) {
  const uint64_t most = coordinator::GamesTarget(run.spec);
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

std::string NotServedWords(const coordinator::RunStatus& run, const Voice& voice) {
  if (run.state != "running" || run.servers > 0) return "";
  if (run.not_served.empty()) return voice.Say(phrase::kNoServer, run.run);
  return voice.Say(phrase::kNotServed, SentenceText(voice, run.not_served));
}

std::string OffWords(const coordinator::RunStatus& run, const Voice& voice) {
  if (!run.line_searches) return "";
  const coordinator::LineSearchStatus& searches = *run.line_searches;
  if (!searches.off.empty()) {
    return voice.Say(phrase::kGamesAlone, SentenceText(voice, searches.off));
  }
  if (searches.trials_off.empty()) return "";
  return voice.Say(phrase::kNoTrials, SentenceText(voice, searches.trials_off));
}

std::string CalibrationWords(const coordinator::LineSearchStatus& searches, const Voice& voice) {
  const auto& fit = searches.calibration;
  if (!fit || !std::isfinite(fit->low)) return "";
  const auto text = [](double value) { return absl::StrFormat("%.2f", value); };
  return voice.Say(phrase::kScoresWorth, text(fit->slope), text(fit->low), text(fit->high),
                   fit->games);
}

std::string SpentWords(uint64_t games, const coordinator::LineSearchStatus& searches,
                       const Voice& voice) {
  return voice.Say(phrase::kSpent, games, searches.in_answers, searches.in_replies,
                   searches.in_trials);
}

std::string SpentWords(const coordinator::RunStatus& run, const Voice& voice) {
  if (!run.line_searches) return "";
  const std::string off = OffWords(run, voice);
  return absl::StrCat(SpentWords(run.games_done, *run.line_searches, voice),
                      off.empty() ? "" : "; ", off);
}

}  // namespace joseki::cli
