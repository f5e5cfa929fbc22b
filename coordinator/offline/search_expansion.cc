#include "coordinator/offline/search_expansion.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

// The positions that the book's moves lead to, with the smallest ply.
absl::StatusOr<std::map<PackedPosition, int>> Reached(const Rules& rules,
                                                      const book::Graph& graph) {
  std::map<PackedPosition, int> reached;
  for (book::EdgeId edge = 0; edge < graph.edge_count(); ++edge) {
    const book::Graph::Node& from = graph.node(graph.edge(edge).from);
    ASSIGN_OR_RETURN(const auto state, rules.Start(from.packed, MatchRules{}));
    if (!state->Play(graph.edge(edge).move)) continue;
    const auto [at, added] = reached.emplace(state->packed(), from.ply + 1);
    if (!added) at->second = std::min<int>(at->second, from.ply + 1);
  }
  return reached;
}

}  // namespace

absl::StatusOr<SearchExpansionReport> ExpandBySearches(book::Store& store, const Rules& rules,
                                                       RunId run) {
  ASSIGN_OR_RETURN(const LoadedRun loaded, LoadRun(store, rules, run));
  ASSIGN_OR_RETURN(const auto reached, Reached(rules, *loaded.graph));
  SearchExpansionReport report;
  std::map<PackedPosition, book::DbPosition> found;
  RETURN_IF_ERROR(
      ForEachEvaluation(store, run, loaded.row.spec, /*shared=*/0, [&](const EvaluationRow& row) {
        if (row.game.run != run) return absl::OkStatus();
        const auto ply = reached.find(row.position);
        if (ply == reached.end() || !row.score.has_value() || row.game.moves.empty() ||
            loaded.trust.Excludes(row.game.worker, row.game.lease)) {
          ++report.left_out;
          return absl::OkStatus();
        }
        const auto [at, added] = found.try_emplace(row.position);
        if (!added) return absl::OkStatus();
        at->second.packed = row.position;
        at->second.ply = ply->second;
        book::DbMove& move = at->second.moves.emplace_back();
        move.move = row.game.moves.back();
        move.value = *row.score;
        move.has_value = true;
        move.depth = static_cast<int>(row.depth);
        move.has_depth = row.depth > 0;
        move.count = 0;
        ++report.searches;
        return absl::OkStatus();
      }));
  if (report.searches == 0) {
    return MakeProblem(
        {.code = "no_searches",
         .file = absl::StrCat(store.path(), "#", run),
         .found = absl::StrCat(report.left_out, " searches, none to take a move from"),
         .expected = "a run whose workers have searched positions (--prior-nodes)"},
        absl::StatusCode::kFailedPrecondition);
  }
  book::BookImport import(store, "expand", absl::StrCat("searches of run ", run),
                          absl::StrCat("{\"nodes\":", loaded.row.spec.priors.nodes, "}"));
  for (const auto& [packed, position] : found) RETURN_IF_ERROR(import.AddBook(position));
  ASSIGN_OR_RETURN(const book::BookImport::Totals totals, import.Commit(0, 0));
  report.new_positions = totals.new_positions;
  report.new_moves = totals.new_moves;
  return report;
}

}  // namespace joseki::coordinator
