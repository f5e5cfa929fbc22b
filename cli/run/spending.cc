#include "cli/run/spending.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"

namespace joseki::cli {

using coordinator::SpendingReport;

std::string GainWords(const SpendingReport& report, const Voice& voice) {
  std::string words = voice.Say(phrase::kLeftToFind, absl::StrFormat("%.2f", 100 * report.gain));
  // Positions are bounded separately, so only a sum below the whole score means anything.
  if (report.left < 1) {
    words += voice.Say(phrase::kAtMost, absl::StrFormat("%.1f", 100 * report.left));
  }
  return words + voice.Say(phrase::kFullStop);
}

void PrintSpending(const SpendingReport& report, std::string_view start, const Rules& rules,
                   const Voice& voice, std::ostream& out) {
  out << voice.Say(phrase::kWhereTheGamesGo, report.games, report.positions, report.reached,
                   report.settled, absl::StrFormat("%g", report.rule.error),
                   absl::StrFormat("%g", report.rule.margin))
      << GainWords(report, voice) << "\n";
  if (report.top.empty()) return;
  const auto line = [&](const std::string& recent, const std::string& share,
                        const std::string& games, const std::string& standing,
                        const std::string& answer, const std::string& expected,
                        const std::string& place) {
    out << "  " << PaddedLeft(recent, 8) << " " << PaddedLeft(share, 6) << " "
        << PaddedLeft(games, 9) << "  " << PaddedRight(standing, 10) << "  "
        << PaddedRight(answer, 6) << "  " << PaddedLeft(expected, 8) << "  " << place << "\n";
  };
  line(voice.Say(phrase::kOfLate), voice.Say(phrase::kShare), voice.Say(phrase::kInAll),
       voice.Say(phrase::kStanding), voice.Say(phrase::kAnswer), voice.Say(phrase::kExpected),
       voice.Say(phrase::kPosition));
  for (const SpendingReport::Position& position : report.top) {
    const double share = report.recent_games == 0 ? 0
                                                  : 100.0 * static_cast<double>(position.recent) /
                                                        static_cast<double>(report.recent_games);
    line(absl::StrCat(position.recent), absl::StrFormat("%.1f %%", share),
         absl::StrCat(position.games + position.repeats), WordText(voice, position.standing),
         position.answer ? voice.MoveText(rules, position.position, *position.answer) : "-",
         absl::StrFormat("%.3f %%", 100 * position.gain),
         PlaceText(voice, rules, position.line, position.position, start));
  }
}

Json SpendingJson(const SpendingReport& report, const Rules& rules) {
  Json positions = Json::array();
  for (const SpendingReport::Position& from : report.top) {
    Json position;
    position["position"] = from.position;
    Json line;
    if (from.line) line = Json::array();
    for (const Move move : from.line.value_or(std::vector<Move>()))
      line.push_back(rules.Text(move));
    position["line"] = std::move(line);
    position["games"] = from.games + from.repeats;
    position["distinct"] = from.games;
    position["recent"] = from.recent;
    position["recent_share"] =
        report.recent_games == 0
            ? 0
            : static_cast<double>(from.recent) / static_cast<double>(report.recent_games);
    position["standing"] = from.standing;
    position["answer"] = from.answer ? Json(rules.Text(*from.answer)) : Json();
    position["expected_gain"] = from.gain;
    positions.push_back(std::move(position));
  }
  Json json;
  json["run"] = report.run;
  json["commit_seq"] = report.commit_seq;
  json["distinct_games"] = report.games;
  json["recent_games"] = report.recent_games;
  json["positions"] = report.positions;
  json["reached"] = report.reached;
  json["settled"] = report.settled;
  json["settle_error"] = report.rule.error;
  json["settle_margin"] = report.rule.margin;
  json["gain_left"] = report.left;
  json["expected_gain"] = report.gain;
  json["top"] = std::move(positions);
  return json;
}

}  // namespace joseki::cli
