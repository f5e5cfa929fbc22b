#include "cli/move_table.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;

// Its weights are sums of points; those of every other policy are scores.
constexpr std::string_view kOfPoints = "result-driven";

double ScoreOf(const book::Evidence& evidence) {
  return static_cast<double>(evidence.wins) / evidence.decided();
}

double AmountOf(const ExportBook::Move& move, RowsOf of) {
  return of == RowsOf::kBook ? static_cast<double>(move.games + move.book_count)
                             : static_cast<double>(std::max<int64_t>(0, move.prior));
}

}  // namespace

RowsOf RowsOfRun(const coordinator::RunSpec& spec) {
  return spec.policy == kOfPoints ? RowsOf::kPoints : RowsOf::kScore;
}

std::vector<MoveRow> RowsFor(const std::vector<ExportBook::Move>& moves, RowsOf of,
                             const Rules& rules) {
  double total = 0;
  for (const ExportBook::Move& move : moves) total += AmountOf(move, of);
  std::vector<MoveRow> rows;
  for (const ExportBook::Move& move : moves) {
    rows.push_back({.move = rules.Text(move.move),
                    .answer = move.answer,
                    .share = total > 0 ? AmountOf(move, of) / total : 0,
                    .weight = move.weight,
                    .evidence = move.evidence,
                    .games = of == RowsOf::kBook ? move.games : move.evidence.played(),
                    .low = move.low,
                    .high = move.high,
                    .note = ""});
  }
  return rows;
}

void PrintMoveTable(const std::vector<MoveRow>& rows, RowsOf of, std::ostream& out) {
  const bool run = of != RowsOf::kBook;
  out << absl::StreamFormat("  %-6s %7s %10s %8s %s%7s %7s %7s %7s  %s\n", "move",
                            run ? "input" : "share", of == RowsOf::kScore ? "value" : "weight",
                            "games", run ? "different " : "", "wins", "draws", "losses", "score",
                            "95 % interval");
  for (const MoveRow& row : rows) {
    const bool decided = row.evidence.decided() > 0;
    out << absl::StreamFormat(
        "%s %-6s %5.1f %% %10s %8d %s%7d %7d %7d %7s  %s%s\n", row.answer ? "*" : " ", row.move,
        100 * row.share,
        of == RowsOf::kScore ? absl::StrFormat("%.1f %%", 100 * row.weight)
                             : absl::StrFormat("%.6g", row.weight),
        row.games, run ? absl::StrFormat("%9d ", row.evidence.games()) : "", row.evidence.wins,
        row.evidence.draws, row.evidence.losses,
        decided ? absl::StrFormat("%.1f %%", 100 * ScoreOf(row.evidence)) : "-",
        decided ? absl::StrFormat("%.1f to %.1f %%", 100 * row.low, 100 * row.high) : "-",
        row.note.empty() ? "" : "  " + row.note);
  }
  if (run) {
    out << "* the answer, which the exported book plays; input: the share in the book that the run "
           "began with; "
        << (of == RowsOf::kScore
                ? "value: the score that searches and trials expect, or else the policy"
                : "weight: the points that the policy has added up")
        << "\n  games: played, of which `different` are no repeats; score and interval: wins among "
           "the wins and losses\n";
  } else {
    out << "* the answer, which the exported book plays; share: of the games and imported counts "
           "here; weight: the base weight\n  games: imported; score and interval: wins among the "
           "wins and losses\n";
  }
}

std::string ScoreWords(const book::Evidence& evidence, double low, double high) {
  if (evidence.decided() == 0) return "no decided game";
  return absl::StrFormat("%.1f %% of %d decided %s (%.1f to %.1f %%)", 100 * ScoreOf(evidence),
                         evidence.decided(), evidence.decided() == 1 ? "game" : "games", 100 * low,
                         100 * high);
}

}  // namespace joseki::cli
