#include "coordinator/offline/search_learning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/tuning/line.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/run_store.h"
#include "engine/core/resignation.h"

namespace joseki::coordinator {
namespace {

constexpr int kMostScore = 3000;

struct Learnt {
  int64_t sum = 0;  // of mean scores, one per game
  int64_t games = 0;
};

// The mean of the first scores after the line, from the side that moved last in it; nullopt without
// scores. Skipped are moves without a search, such as book moves on re-entry.
std::optional<int> MeanScore(std::span<const int16_t> scores, int positions) {
  const size_t most = std::min(scores.size(), static_cast<size_t>(positions));
  int64_t sum = 0;
  int64_t count = 0;
  for (size_t i = 0; i < most; ++i) {
    if (scores[i] == kNoScore) continue;
    const int score = std::clamp<int>(scores[i], -kMostScore, kMostScore);
    sum += i % 2 == 0 ? -score : score;  // the other side moves first
    ++count;
  }
  if (count == 0) return std::nullopt;
  return static_cast<int>(std::lround(static_cast<double>(sum) / static_cast<double>(count)));
}

}  // namespace

absl::StatusOr<LearnReport> LearnFromSearches(book::Store& store, const Rules& rules, RunId run,
                                              int positions) {
  ASSIGN_OR_RETURN(const LoadedRun loaded, LoadRun(store, rules, run));
  const book::Graph& graph = *loaded.graph;
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, graph, loaded.row.spec));
  LearnReport report;
  std::map<book::EdgeId, Learnt> learnt;
  RunStore rows(store);
  RETURN_IF_ERROR(rows.games().ForEach(run, 0, [&](const GameRow& game) {
    if (IsFault(game.ending.termination) || loaded.trust.Excludes(game.worker, game.lease) ||
        game.book_plies > game.moves.size()) {
      return absl::OkStatus();
    }
    const std::vector<book::EdgeId> edges =
        book::EdgesOf(graph, start, std::span(game.moves).first(game.book_plies));
    const std::optional<int> score = MeanScore(game.scores, positions);
    if (!score.has_value() || edges.size() != game.book_plies || edges.empty()) {
      report.without_scores += !score.has_value();
      return absl::OkStatus();
    }
    Learnt& of_move = learnt[edges.back()];
    of_move.sum += *score;
    ++of_move.games;
    ++report.games;
    return absl::OkStatus();
  }));
  if (report.games == 0) {
    return MakeProblem({.code = "no_scores",
                        .file = absl::StrCat(store.path(), "#", run),
                        .found = "no game whose scores were kept",
                        .expected = "a run that keeps scores"},
                       absl::StatusCode::kFailedPrecondition);
  }
  book::BookImport import(store, "learn", absl::StrCat("searches of run ", run),
                          absl::StrCat("{\"positions\":", positions, "}"));
  // Edges of one position are adjacent, and positions ascend.
  for (const auto& [edge, of_move] : learnt) {
    const book::Graph::Node& node = graph.node(graph.edge(edge).from);
    book::DbPosition position;
    position.packed = node.packed;
    position.ply = node.ply;
    book::DbMove& move = position.moves.emplace_back();
    move.move = graph.edge(edge).move;
    move.has_value = true;
    move.value = static_cast<int>(
        std::lround(static_cast<double>(of_move.sum) / static_cast<double>(of_move.games)));
    move.count = 0;
    RETURN_IF_ERROR(import.AddBook(position));
    ++report.moves;
  }
  RETURN_IF_ERROR(import.Commit(report.games, 0).status());
  return report;
}

}  // namespace joseki::coordinator
