#include "cli/run/spending.h"

#include "absl/strings/str_format.h"

namespace joseki::cli {

using coordinator::SpendingReport;

std::string GainWords(const SpendingReport& report) {
  std::string words = absl::StrFormat(
      "What is left to find: %.2f %% of the score a game is expected", 100 * report.gain);
  // Positions are bounded one by one: only a sum below all there is says something.
  if (report.left < 1) absl::StrAppendFormat(&words, ", %.1f %% at most", 100 * report.left);
  return words + ".";
}

void PrintSpending(const SpendingReport& report, const Rules& rules, std::ostream& out) {
  out << absl::StreamFormat(
      "Where the games go: %d games; of %d positions with a choice they came to %d, of which %d "
      "are "
      "settled (wrongly with a chance of at most %g each, moves within %g count as equal)\n",
      report.games, report.positions, report.reached, report.settled, report.rule.error,
      report.rule.margin);
  out << GainWords(report) << "\n";
  if (report.top.empty()) return;
  out << absl::StreamFormat("  %8s %6s %9s  %-10s  %-6s  %8s  position\n", "of late", "share",
                            "in all", "standing", "answer", "expected");
  for (const SpendingReport::Position& position : report.top) {
    const double share = report.recent_games == 0 ? 0
                                                  : 100.0 * static_cast<double>(position.recent) /
                                                        static_cast<double>(report.recent_games);
    out << absl::StreamFormat("  %8d %4.1f %% %9d  %-10s  %-6s  %6.3f %%  %s\n", position.recent,
                              share, position.games + position.repeats, position.standing,
                              position.answer ? rules.Text(*position.answer) : "-",
                              100 * position.gain, position.position);
  }
}

Json SpendingJson(const SpendingReport& report, const Rules& rules) {
  Json positions = Json::array();
  for (const SpendingReport::Position& from : report.top) {
    Json position;
    position["position"] = from.position;
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
