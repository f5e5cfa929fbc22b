#include "cli/run/morning_page.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "book/stats/pentanomial.h"
#include "cli/boards/game_view.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/match/report.h"
#include "cli/match/settings.h"
#include "cli/move_table.h"
#include "cli/run/course.h"
#include "cli/run/spec_command.h"
#include "cli/run/spending.h"
#include "cli/words/page_phrases.h"
#include "cli/words/phrases.h"
#include "cli/words/run_phrases.h"
#include "cli/words/words.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/run_load.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;

constexpr char kStyle[] = R"css(
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#5a5a5a;--line:#ccc;--one:#1d5fa8;--two:#b3541e}
@media (prefers-color-scheme:dark){:root{--ink:#eee;--paper:#161616;--soft:#aaa;--line:#444;--one:#7fb2ee;--two:#f0a070}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}th{color:var(--soft);font-weight:600}
code,pre{font:13px/1.4 ui-monospace,monospace}pre{overflow-x:auto;border:1px solid var(--line);padding:.5rem}
svg{max-width:100%;height:auto;display:block}text{fill:var(--ink);font:12px system-ui,sans-serif}.board text{font-family:serif}.board{min-width:236px}
.soft{color:var(--soft)}
)css";

// Escapes text for HTML; all text from outside passes through here.
std::string Text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string Row(std::string_view name, std::string_view value) {
  return absl::StrCat("<tr><th scope=\"row\">", Text(name), "</th><td>", Text(value),
                      "</td></tr>\n");
}

std::string Head(const Voice& voice, const Phrase& words) {
  return absl::StrCat("<h2>", Text(voice.Say(words)), "</h2>\n");
}

std::string SmallHead(const Voice& voice, const Phrase& words) {
  return absl::StrCat("<h3>", Text(voice.Say(words)), "</h3>\n");
}

// The header row of a table.
std::string HeadRow(const Voice& voice, std::initializer_list<Phrase> heads) {
  std::string row = "<tr>";
  for (const Phrase& head : heads) absl::StrAppend(&row, "<th>", Text(voice.Say(head)), "</th>");
  return row + "</tr>\n";
}

// A plot of the accepted games over the time of the run.
std::string GamesPlot(const RunHistory& history, const Voice& voice) {
  if (history.accepted.empty()) return "";
  constexpr double kLeft = 60;
  constexpr double kWidth = 640;
  constexpr double kHeight = 160;
  const double most = static_cast<double>(std::max<uint64_t>(1, history.accepted.back()));
  std::string points = absl::StrFormat("%g,%g", kLeft, kHeight + 10);
  for (size_t i = 0; i < history.accepted.size(); ++i) {
    absl::StrAppendFormat(
        &points, " %.1f,%.1f",
        kLeft + kWidth * static_cast<double>(i + 1) / static_cast<double>(history.accepted.size()),
        10 + kHeight * (1 - static_cast<double>(history.accepted[i]) / most));
  }
  return absl::StrFormat(
      "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">"
      "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"var(--line)\"/>"
      "<polyline fill=\"none\" stroke=\"var(--one)\" stroke-width=\"2\" points=\"%s\"/>"
      "<text x=\"0\" y=\"20\">%d</text><text x=\"%g\" y=\"%g\">%s</text>"
      "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text></svg>\n",
      kLeft + kWidth + 10, kHeight + 40, Text(voice.Say(phrase::kGamesOverTime)), kLeft,
      kHeight + 10, kLeft + kWidth, kHeight + 10, points, history.accepted.back(), kLeft,
      kHeight + 30, TimeText(history.first_ms), kLeft + kWidth, kHeight + 30,
      TimeText(history.last_ms));
}

// A score with its interval, on a scale from 0 to 100 %.
std::string IntervalBar(const ExportBook::Move& move, std::string_view colour, double y) {
  if (move.evidence.decided() == 0) return "";
  const double score = static_cast<double>(move.evidence.wins) / move.evidence.decided();
  return absl::StrFormat(
      "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\" stroke=\"var(--%s)\" stroke-width=\"3\"/>"
      "<circle cx=\"%.1f\" cy=\"%g\" r=\"4\" fill=\"var(--%s)\"/>",
      200 * move.low, 200 * move.high, y, y, std::string(colour), 200 * score, y,
      std::string(colour));
}

// The board with the new answer drawn over the old one.
std::string BoardOf(const Mover& mover, const std::string& place, const Rules& rules,
                    const Voice& voice) {
  const DrawnMove drawn[] = {{mover.before.move, "var(--two)"}, {mover.after.move, "var(--one)"}};
  const std::string board =
      ViewOf(rules.game())
          .svg(mover.packed, std::span(drawn),
               Text(voice.Say(phrase::kNewAndBefore, place,
                              voice.MoveText(rules, mover.packed, mover.after.move),
                              voice.MoveText(rules, mover.packed, mover.before.move))));
  return board.empty() ? Text(mover.position) : board;
}

std::string MoversTable(const Movers& movers, const std::string& start, const Rules& rules,
                        const Voice& voice) {
  if (movers.top.empty()) {
    return absl::StrCat("<p>", Text(voice.Say(phrase::kNoAnswerMoved)), "</p>\n");
  }
  std::string html =
      absl::StrCat("<p>", Text(voice.Say(phrase::kMoversMean, movers.changed)), "</p>\n<table>",
                   HeadRow(voice, {phrase::kWhere, phrase::kBoard, phrase::kAnswer,
                                   phrase::kWorthHead, phrase::kTrials, phrase::kGames,
                                   phrase::kDifferent, phrase::kWonDrawnLost, phrase::kScore}));
  for (const Mover& mover : movers.top) {
    const auto cells = [&](const ExportBook::Move& move) {
      const bool searched = move.searched > 0;
      return absl::StrFormat(
          "<td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%d</td>"
          "<td class=\"n\">%d</td><td class=\"n\">%d-%d-%d</td>",
          Text(voice.MoveText(rules, mover.packed, move.move)),
          searched ? absl::StrFormat("%+d", move.worth) : "",
          searched ? absl::StrCat(move.trials) : "", move.evidence.played(), move.evidence.games(),
          move.evidence.wins, move.evidence.draws, move.evidence.losses);
    };
    const auto score = [&](const ExportBook::Move& move) {
      return ScoreWords(move.evidence, move.low, move.high, voice);
    };
    const std::string place = PlaceText(voice, rules, mover.line, mover.position, start);
    absl::StrAppend(&html, "<tr><td rowspan=\"2\">", Text(place), "</td><td rowspan=\"2\">",
                    BoardOf(mover, place, rules, voice), "</td>", cells(mover.after),
                    "<td rowspan=\"2\"><svg width=\"200\" viewBox=\"0 0 200 50\" ",
                    "role=\"img\" aria-label=\"",
                    Text(voice.Say(phrase::kNewAndOld, score(mover.after), score(mover.before))),
                    "\">",
                    "<line x1=\"100\" x2=\"100\" y1=\"0\" y2=\"50\" stroke=\"var(--line)\"/>",
                    IntervalBar(mover.after, "one", 14), IntervalBar(mover.before, "two", 36),
                    "</svg></td></tr>\n<tr>", cells(mover.before), "</tr>\n");
  }
  return html + "</table>\n";
}

// The proof comes first; a match has a bar where its interval has bounds.
std::string ProofPart(const Proof* proof, const Voice& voice) {
  if (proof == nullptr) return absl::StrCat("<p>", Text(voice.Say(phrase::kNoProof)), "</p>\n");
  std::string html =
      absl::StrCat("<p><strong>", Text(ProofVerdict(*proof, voice)), "</strong></p>\n");
  const std::vector<std::string> details = ProofDetails(*proof, voice);
  if (!details.empty()) {
    html += "<ul>\n";
    for (const std::string& detail : details) {
      absl::StrAppend(&html, "<li>", Text(detail), "</li>\n");
    }
    html += "</ul>\n";
  }
  std::string bars;
  for (const ProofMatch& match : proof->matches) {
    if (match.series.pairs_played() == 0) continue;
    const book::Estimate elo = book::LogisticElo(match.series.tally().pentanomial);
    if (!std::isfinite(elo.low) || !std::isfinite(elo.high)) continue;
    const auto x = [](double value) { return std::clamp(150 + value / 2, 0.0, 300.0); };
    absl::StrAppendFormat(
        &bars,
        "<tr><th scope=\"row\">%s</th><td><svg width=\"300\" viewBox=\"0 0 300 24\" "
        "role=\"img\" aria-label=\"%s\"><line x1=\"150\" x2=\"150\" y1=\"0\" y2=\"24\" "
        "stroke=\"var(--line)\"/><line x1=\"%.1f\" x2=\"%.1f\" y1=\"12\" y2=\"12\" "
        "stroke=\"var(--one)\" stroke-width=\"3\"/><circle cx=\"%.1f\" cy=\"12\" r=\"4\" "
        "fill=\"var(--one)\"/></svg></td></tr>\n",
        Text(MatchWords(match, voice)), Text(EloWords(elo, voice)), x(elo.low), x(elo.high),
        x(elo.value));
  }
  if (bars.empty()) return html;
  return absl::StrCat(html, "<table>\n", bars, "</table>\n<p class=\"soft\">",
                      Text(voice.Say(phrase::kBarsReach)), "</p>\n");
}

// Plots of the gain during the run, as far as there are any: the expected gain over the trials, the
// proven gain over the proofs.
std::string GainPart(const MorningReport& report, const Voice& voice) {
  std::string html;
  if (const std::string plot = CourseSvg(CourseOf(report.run->run), voice); !plot.empty()) {
    absl::StrAppend(&html, SmallHead(voice, phrase::kExpectedGain), plot, "<p class=\"soft\">",
                    Text(voice.Say(phrase::kExpectedGainMeans)), "</p>\n");
  }
  if (report.gains.empty()) return html;
  html += SmallHead(voice, phrase::kProvenGain);
  for (const Gain& gain : report.gains) {
    absl::StrAppend(&html, "<p>", Text(gain.against), "</p>\n", GainSvg(gain, voice));
  }
  return html;
}

// Row of the nodes that a run with searches has spent, by purpose; empty for other runs.
std::string Spent(const coordinator::LoadedRun& run, const Voice& voice) {
  if (run.line_searches == nullptr) return "";
  return Row(voice.Say(phrase::kNodesSpent),
             SpentWords(run.counters.games, run.line_searches->status(run.calibration), voice));
}

std::string Wrong(const MorningReport& report, const Voice& voice) {
  const RunHistory& history = *report.history;
  const coordinator::RunCounters& counters = report.run->run.counters;
  const coordinator::RunRow& row = report.run->run.row;
  std::string html = "<table>\n";
  absl::StrAppend(&html,
                  Row(voice.Say(phrase::kFaultsOf), absl::StrCat(report.run->run.all_faults())),
                  Row(voice.Say(phrase::kConflictsOf), absl::StrCat(history.conflicts)),
                  Row(voice.Say(phrase::kCopiesOf),
                      voice.Say(phrase::kCopiesAre, history.copies, history.differed)),
                  Row(voice.Say(phrase::kExcludedOf), absl::StrCat(counters.excluded)),
                  Row(voice.Say(phrase::kPoisonedOf), absl::StrCat(history.poisoned)),
                  Row(voice.Say(phrase::kStaleOf), absl::StrCat(counters.stale)));
  if (!row.reason.empty()) {
    html += Row(voice.Say(phrase::kWhyState, WordText(voice, row.state)),
                SentenceText(voice, row.reason));
  }
  html += "</table>\n";
  if (!history.faults.empty() || !history.distrusted.empty()) {
    html += "<ul>\n";
    for (const auto* const list : {&history.faults, &history.distrusted}) {
      for (const std::string& item : *list) {
        absl::StrAppend(&html, "<li>", Text(SentenceText(voice, item)), "</li>\n");
      }
    }
    html += "</ul>\n";
  }
  return html;
}

}  // namespace

std::string ReproduceCommands(const MorningReport& report) {
  const coordinator::RunRow& row = report.run->run.row;
  SpecFiles files;
  if (!report.engines.empty()) files.engines = report.engines;
  files.opponent = absl::StrCat(report.book, "#", row.run, ":opponent");
  const std::string book = ShellWord(report.book);
  return absl::StrCat("joseki run create --coordinator HOST:PORT", SpecOptions(row.spec, files),
                      "\njoseki audit --book ", book, "\njoseki export --book ", book, " --run ",
                      row.run, " --format json --out tuned.json\n");
}

std::string MorningPage(const MorningReport& report, const Rules& rules, const Voice& voice) {
  const coordinator::LoadedRun& run = report.run->run;
  const coordinator::RunSpec& spec = run.row.spec;
  const RunHistory& history = *report.history;
  const GameView& view = ViewOf(rules.game());
  const std::string title =
      voice.Say(phrase::kPageTitle,
                absl::StrCat(run.row.run, spec.name.empty() ? "" : " ", spec.name), report.book);
  std::string html = absl::StrCat(
      "<!doctype html>\n<html lang=\"", LanguageNames()[static_cast<size_t>(voice.language())],
      "\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
      Text(title), "</title>\n<style>", kStyle, "</style></head><body><main>\n<h1>", Text(title),
      "</h1>\n", Head(voice, phrase::kWhatIsProven), ProofPart(report.proof, voice));
  const std::string no_limit = voice.Say(phrase::kNoLimit);
  absl::StrAppend(
      &html, Head(voice, phrase::kWhatWasAsked), "<table>\n",
      Row(voice.Say(phrase::kEngine), spec.play.engine_id),
      Row(voice.Say(phrase::kLimitOfAMove), LimitWords(spec.play, voice)),
      Row(voice.Say(phrase::kPolicy), spec.policy),
      Row(voice.Say(phrase::kGames), spec.games == 0 ? no_limit : absl::StrCat(spec.games)),
      Row(voice.Say(phrase::kHoursLimit),
          spec.seconds == 0 ? no_limit
                            : absl::StrFormat("%g", static_cast<double>(spec.seconds) / 3600)),
      Row(voice.Say(phrase::kChanceToLeave), absl::StrFormat("%g", spec.deviation)),
      Row(voice.Say(phrase::kSeed), absl::StrCat(spec.seed)),
      Row(voice.Say(phrase::kStart), spec.start == phrase::kStartPosition.english()
                                         ? voice.Say(phrase::kStartPosition)
                                         : spec.start),
      "</table>\n");
  const double hours = static_cast<double>(history.last_ms - history.first_ms) / 3'600'000;
  absl::StrAppend(
      &html, Head(voice, phrase::kWhatWasPlayed), "<table>\n",
      Row(voice.Say(phrase::kState), WordText(voice, run.row.state)),
      Row(voice.Say(phrase::kGamesThatCount), absl::StrCat(run.counters.games)), Spent(run, voice),
      Row(voice.Say(phrase::kDifferentGames), absl::StrCat(report.spending->games)),
      Row(voice.Say(phrase::kWonDrawnWon, voice.Say(view.first_phrase),
                    voice.Say(view.second_phrase)),
          absl::StrCat(history.first_wins, ", ", history.draws, ", ", history.second_wins)),
      Row(voice.Say(phrase::kFrom), history.accepted.empty() ? "" : TimeText(history.first_ms)),
      Row(voice.Say(phrase::kTo), history.accepted.empty() ? "" : TimeText(history.last_ms)),
      Row(voice.Say(phrase::kGamesAnHour),
          hours > 0 && !history.accepted.empty()
              ? absl::StrFormat("%.0f", static_cast<double>(history.accepted.back()) / hours)
              : ""),
      "</table>\n", GamesPlot(history, voice), GainPart(report, voice));
  absl::StrAppend(&html, SmallHead(voice, phrase::kHowGamesEnded), "<table>\n");
  for (const auto& [termination, games] : run.counters.terminations) {
    html += Row(WordText(voice, Name(termination)), absl::StrCat(games));
  }
  absl::StrAppend(&html, "</table>\n", SmallHead(voice, phrase::kWorkersHead), "<table>",
                  HeadRow(voice, {phrase::kWorker, phrase::kGames, phrase::kFaultsHead,
                                  phrase::kNodesASecond}));
  for (const auto& [name, worker] : history.workers) {
    absl::StrAppendFormat(
        &html,
        "<tr><td>%s</td><td class=\"n\">%d</td><td class=\"n\">%d</td><td class=\"n\">%.0f</td>"
        "</tr>\n",
        Text(name), worker.games, worker.faults,
        worker.think_ms == 0
            ? 0.0
            : 1000 * static_cast<double>(worker.nodes) / static_cast<double>(worker.think_ms));
  }
  absl::StrAppend(
      &html, "</table>\n", Head(voice, phrase::kWhatMoved),
      MoversTable(*report.movers, spec.start, rules, voice), "<p>",
      Text(voice.Say(phrase::kCameTo, report.spending->positions, report.spending->reached,
                     report.spending->settled, GainWords(*report.spending, voice))),
      "</p>\n", Head(voice, phrase::kWhatWentWrong), Wrong(report, voice),
      Head(voice, phrase::kHowToReproduce), "<table>\n",
      Row(voice.Say(phrase::kProgram), report.version),
      Row(voice.Say(phrase::kSnapshot), Hex(run.row.snapshot)),
      Row(voice.Say(phrase::kEpoch), report.epoch),
      Row(voice.Say(phrase::kSignature), absl::StrFormat("%016x", spec.play.engine_signature)),
      "</table>\n<pre>", Text(ReproduceCommands(report)), "</pre>\n<details><summary>",
      Text(voice.Say(phrase::kWholeSpecification)), "</summary><pre>",
      Text(coordinator::SpecToJson(spec)), "</pre></details>\n</main></body></html>\n");
  return html;
}

}  // namespace joseki::cli
