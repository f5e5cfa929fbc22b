#include "cli/move_table.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/words/phrases.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;

// The policy whose weights are sums of points; the weights of all others are scores.
constexpr std::string_view kOfPoints = "result-driven";

double ScoreOf(const book::Evidence& evidence) {
  return static_cast<double>(evidence.wins) / evidence.decided();
}

constexpr size_t kMoveColumns = 6;  // at least

std::string Percent(double part) { return absl::StrFormat("%.1f", 100 * part); }

double AmountOf(const ExportBook::Move& move, RowsOf of) {
  return of == RowsOf::kBook ? static_cast<double>(move.games + move.book_count)
                             : static_cast<double>(std::max<int64_t>(0, move.prior));
}

}  // namespace

RowsOf RowsOfRun(const coordinator::RunSpec& spec) {
  return spec.policy == kOfPoints ? RowsOf::kPoints : RowsOf::kScore;
}

std::optional<double> WeightIn(const ExportBook::Position& position, const ExportBook::Move& move) {
  const bool expects = std::any_of(position.moves.begin(), position.moves.end(),
                                   [](const auto& other) { return other.expected.has_value(); });
  return expects ? move.expected : std::optional(move.weight);
}

std::vector<MoveRow> RowsFor(const ExportBook::Position& position, RowsOf of, const Rules& rules,
                             const Voice& voice) {
  double total = 0;
  for (const ExportBook::Move& move : position.moves) total += AmountOf(move, of);
  std::vector<MoveRow> rows;
  for (const ExportBook::Move& move : position.moves) {
    rows.push_back({.move = voice.MoveText(rules, position.packed, move.move),
                    .answer = move.answer,
                    .share = total > 0 ? AmountOf(move, of) / total : 0,
                    .weight = WeightIn(position, move),
                    .evidence = move.evidence,
                    .games = of == RowsOf::kBook ? move.games : move.evidence.played(),
                    .low = move.low,
                    .high = move.high,
                    .note = ""});
  }
  return rows;
}

void PrintMoveTable(const std::vector<MoveRow>& rows, RowsOf of, const Voice& voice,
                    std::ostream& out) {
  const bool run = of != RowsOf::kBook;
  size_t columns = kMoveColumns;
  for (const MoveRow& row : rows) columns = std::max(columns, Columns(row.move));
  const auto line = [&](const char* mark, const std::string& move, const std::string& share,
                        const std::string& weight, const std::string& games,
                        const std::string& different, const std::string(&results)[3],
                        const std::string& score, const std::string& rest) {
    out << mark << " " << PaddedRight(move, columns) << " " << PaddedLeft(share, 7) << " "
        << PaddedLeft(weight, 10) << " " << PaddedLeft(games, 8) << " ";
    if (run) out << PaddedLeft(different, 9) << " ";
    for (const std::string& result : results) out << PaddedLeft(result, 7) << " ";
    out << PaddedLeft(score, 7) << "  " << rest << "\n";
  };
  line(" ", voice.Say(phrase::kMove), voice.Say(run ? phrase::kInput : phrase::kShare),
       voice.Say(of == RowsOf::kScore ? phrase::kValue : phrase::kWeight),
       voice.Say(phrase::kGames), voice.Say(phrase::kDifferent),
       {voice.Say(phrase::kWins), voice.Say(phrase::kDraws), voice.Say(phrase::kLosses)},
       voice.Say(phrase::kScore), voice.Say(phrase::kInterval));
  for (const MoveRow& row : rows) {
    const book::Evidence& e = row.evidence;
    const bool decided = e.decided() > 0;
    line(
        row.answer ? "*" : " ", row.move, absl::StrFormat("%.1f %%", 100 * row.share),
        !row.weight            ? "-"
        : of == RowsOf::kScore ? absl::StrFormat("%.1f %%", 100 * *row.weight)
                               : absl::StrFormat("%.6g", *row.weight),
        absl::StrCat(row.games), absl::StrCat(e.games()),
        {absl::StrCat(e.wins), absl::StrCat(e.draws), absl::StrCat(e.losses)},
        decided ? absl::StrFormat("%.1f %%", 100 * ScoreOf(e)) : "-",
        absl::StrCat(decided ? voice.Say(phrase::kRange, Percent(row.low), Percent(row.high)) : "-",
                     row.note.empty() ? "" : "  ", row.note));
  }
  out << (run ? voice.Say(phrase::kRunLegend, voice.Say(of == RowsOf::kScore ? phrase::kValueMeans
                                                                             : phrase::kPointsMean))
              : voice.Say(phrase::kBookLegend));
}

std::string ScoreWords(const book::Evidence& evidence, double low, double high,
                       const Voice& voice) {
  if (evidence.decided() == 0) return voice.Say(phrase::kNoDecidedGame);
  const std::string score = Percent(ScoreOf(evidence));
  if (evidence.decided() == 1) {
    return voice.Say(phrase::kScoreOfOne, score, Percent(low), Percent(high));
  }
  return voice.Say(phrase::kScoreOf, score, evidence.decided(), Percent(low), Percent(high));
}

std::string EvidenceWords(const ExportBook::Position& position, const ExportBook::Move& move,
                          RowsOf of, const Voice& voice) {
  const book::Evidence& e = move.evidence;
  std::vector<std::string> facts;
  const int64_t played = of == RowsOf::kBook ? move.games : e.played();
  if (played == 1) facts.push_back(voice.Say(phrase::kOneGame));
  if (played > 1) facts.push_back(voice.Say(phrase::kSomeGames, played));
  if (e.decided() > 0) facts.push_back(ScoreWords(e, move.low, move.high, voice));
  if (move.book_count > 0) facts.push_back(voice.Say(phrase::kInBooks, move.book_count));
  const std::optional<double> weight = WeightIn(position, move);
  if (weight && of == RowsOf::kScore) {
    facts.push_back(voice.Say(phrase::kValueIs, Percent(*weight)));
  } else if (weight && *weight != 0) {
    facts.push_back(voice.Say(phrase::kWeightIs, absl::StrFormat("%.6g", *weight)));
  }
  if (move.value.has_value()) facts.push_back(voice.Say(phrase::kImportedValue, *move.value));
  if (move.bad) facts.push_back(voice.Say(phrase::kBad));
  return facts.empty() ? voice.Say(phrase::kNothingKnown)
                       : absl::StrJoin(facts, voice.Say(phrase::kComma));
}

}  // namespace joseki::cli
