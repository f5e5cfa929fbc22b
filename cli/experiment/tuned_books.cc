#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "cli/experiment/contestants.h"
#include "cli/experiment/experiments.h"
#include "cli/experiment/notes.h"
#include "cli/experiment/thesis_tables.h"

// E3 and E4: the results of tuning at the start position.
namespace joseki::cli {
namespace {

using coordinator::ExportBook;

// Ranks of the moves by value, from 1 for the largest.
template <typename Value>
std::vector<int> RanksBy(const std::vector<ExportBook::Move>& moves, const Value& value) {
  std::vector<size_t> order(moves.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return value(moves[a]) > value(moves[b]); });
  std::vector<int> ranks(moves.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<int>(i) + 1;
  return ranks;
}

// A move without games has a mean below all others, and ranks last; its margin is 0 like that of a
// move with as many wins as losses.
double MeanOf(const ExportBook::Move& move) {
  const double n = move.evidence.decided();
  return n == 0 ? -1 : move.evidence.wins / n;
}

int64_t MarginOf(const ExportBook::Move& move) {
  return int64_t{move.evidence.wins} - int64_t{move.evidence.losses};
}

std::string ThesisCell(const std::string& move, std::optional<int> column) {
  if (!column) return "-";
  for (const ThesisStageMove& known : ThesisStageMoves()) {
    if (known.move != move) continue;
    const ThesisStageMove::Column& at = known.columns[static_cast<size_t>(*column)];
    return absl::StrFormat("%d, %.1f %%, %+d", at.plays, 100.0 * at.wins / at.plays,
                           2 * at.wins - at.plays);
  }
  return "-";
}

// One table in the form of the thesis's tables 3.4 to 3.6.
absl::Status AddStartTable(Laboratory& lab, const std::string& label, const std::string& tuned,
                           int stages, std::optional<int> thesis_column, ExperimentReport& report) {
  ASSIGN_OR_RETURN(ExportBook::Position start, lab.StartOf(tuned, stages));
  std::vector<ExportBook::Move>& moves = start.moves;
  std::stable_sort(moves.begin(), moves.end(),
                   [](const ExportBook::Move& a, const ExportBook::Move& b) {
                     return a.evidence.decided() > b.evidence.decided();
                   });
  const std::vector<int> by_mean = RanksBy(moves, MeanOf);
  const std::vector<int> by_sum = RanksBy(moves, MarginOf);
  double plays = 0;
  for (const ExportBook::Move& move : moves) plays += move.evidence.decided();
  ExperimentTable table{absl::StrCat("Moves of the start position, ", label),
                        {"move", "plays", "share", "wins", "win rate, 95 %", "wins - losses",
                         "rank by mean", "rank by sum", "weight", "answer"},
                        {}};
  if (thesis_column) table.columns.emplace_back("thesis: plays, win rate, wins - losses");
  Json data = Json::array();
  for (size_t i = 0; i < moves.size(); ++i) {
    const ExportBook::Move& move = moves[i];
    const double n = move.evidence.decided();
    const std::string text = lab.rules().Text(move.move);
    std::vector<std::string> row = {
        text,
        absl::StrCat(move.evidence.decided()),
        absl::StrFormat("%.1f %%", plays > 0 ? 100 * n / plays : 0),
        absl::StrCat(move.evidence.wins),
        n == 0 ? "-"
               : absl::StrFormat("%.1f %% [%.0f, %.0f]", 100 * MeanOf(move), 100 * move.low,
                                 100 * move.high),
        absl::StrFormat("%+d", MarginOf(move)),
        absl::StrCat(by_mean[i]),
        absl::StrCat(by_sum[i]),
        absl::StrFormat("%g", move.weight),
        move.answer ? "yes" : ""};
    if (thesis_column) row.push_back(ThesisCell(text, thesis_column));
    table.rows.push_back(std::move(row));
    Json one;
    one["move"] = text;
    one["wins"] = move.evidence.wins;
    one["draws"] = move.evidence.draws;
    one["losses"] = move.evidence.losses;
    one["low"] = move.low;
    one["high"] = move.high;
    one["weight"] = move.weight;
    one["rank_by_mean"] = by_mean[i];
    one["rank_by_sum"] = by_sum[i];
    one["answer"] = move.answer;
    data.push_back(std::move(one));
  }
  report.tables.push_back(std::move(table));
  report.data["start"][label] = std::move(data);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExperimentReport> ResultDrivenTuning(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E3", "result-driven tuning, Type-6");
  const auto body = [&]() -> absl::Status {
    for (const int column : lab.arguments().columns) {
      ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(ResultDriven(lab, column)));
      for (int stages = 1; stages <= kStages; ++stages) {
        RETURN_IF_ERROR(AddStartTable(lab, absl::StrCat("Type-6[", stages, "-", column, "]"), path,
                                      stages, stages == 1 ? ThesisColumn(column) : std::nullopt,
                                      report));
      }
    }
    NoteSources(lab, report);
    report.notes.push_back(absl::StrCat(
        "A stage of column j has ", lab.arguments().games,
        " j games that were won (1000 j in the thesis); delta 16, 8, 4, 2, 1; rand 512 j. Drawn "
        "games are replaced by others, weights are frozen for the stage."));
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

absl::StatusOr<ExperimentReport> ReinforcementLearning(Laboratory& lab) {
  ExperimentReport report = Begin(lab, "E4", "reinforcement learning, Type-7, and other policies");
  const auto body = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string type7, lab.TunedBook(EpsilonGreedy(lab)));
    for (const int batches : {1, 2}) {
      RETURN_IF_ERROR(AddStartTable(lab, absl::StrCat("Type-7[", batches, "-1]"), type7, batches,
                                    std::nullopt, report));
    }
    for (const std::string& policy : lab.arguments().policies) {
      ASSIGN_OR_RETURN(const std::string path, lab.TunedBook(OtherPolicy(lab, policy)));
      RETURN_IF_ERROR(AddStartTable(lab, LabelOf(lab, policy), path, 0, std::nullopt, report));
    }
    NoteSources(lab, report);
    report.notes.push_back(absl::StrCat(
        "Type-7: sample average, epsilon 0.1, two batches of ", lab.arguments().games,
        " games with frozen means; a draw is half a win, a move without games 0.5 (the thesis "
        "gives neither). Other policies have ",
        kStages * lab.arguments().games,
        " games, as many as Type-6[5-1], and begin with the frequencies of Type-2."));
    return absl::OkStatus();
  };
  return Finish(lab, report, body());
}

}  // namespace joseki::cli
