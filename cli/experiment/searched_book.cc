#include "cli/experiment/searched_book.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/formats/db_minimax.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/store/evaluation_store.h"

namespace joseki::cli {
namespace {

constexpr int kMostValue = 31'000;  // no mate score is larger, and minimax keeps headroom

}  // namespace

absl::StatusOr<std::vector<book::DbPosition>> SearchedBook(const Rules& rules,
                                                           const std::string& database) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(database, book::OpenMode::kReadOnly, rules.game()));
  ASSIGN_OR_RETURN(const coordinator::LoadedRun run, coordinator::LoadRun(*store, rules, 1));
  struct Searched {
    int score = 0;  // for the side to move there
    Move best;
    int ply = 1;
  };
  std::map<PackedPosition, Searched> searched;
  RETURN_IF_ERROR(coordinator::ForEachEvaluation(
      *store, 1, run.row.spec, /*shared=*/0, [&](const coordinator::EvaluationRow& row) {
        if (row.game.run == 1 && row.score && !row.game.moves.empty()) {
          searched.try_emplace(row.position,
                               Searched{std::clamp<int>(*row.score, -kMostValue, kMostValue),
                                        row.game.moves.back()});
        }
        return absl::OkStatus();
      }));
  std::map<PackedPosition, book::DbPosition> positions;
  const auto add = [&](const PackedPosition& at, int ply, Move move, int value) {
    book::DbPosition& position = positions[at];
    position.packed = at;
    position.ply = ply;
    for (book::DbMove& known : position.moves) {
      if (known.move == move) return;
    }
    book::DbMove& added = position.moves.emplace_back();
    added.move = move;
    added.value = value;
    added.has_value = true;
    added.count = 0;
  };
  Expansion expansion;
  for (book::NodeId id = 0; id < run.graph->node_count(); ++id) {
    const book::Graph::Node& node = run.graph->node(id);
    std::vector<Move> moves;
    for (const book::Graph::Edge& edge : run.graph->moves(id)) moves.push_back(edge.move);
    RETURN_IF_ERROR(rules.Expand(node.packed, moves, expansion));
    for (size_t i = 0; i < moves.size(); ++i) {
      if (!expansion.children[i]) continue;
      const auto child = searched.find(expansion.children[i]->packed);
      if (child == searched.end()) continue;
      child->second.ply = node.ply + 1;
      add(node.packed, node.ply, moves[i], -child->second.score);
    }
    const auto here = searched.find(node.packed);
    if (here != searched.end()) here->second.ply = node.ply;
  }
  for (const auto& [at, found] : searched) add(at, found.ply, found.best, found.score);
  std::vector<book::DbPosition> all;
  for (auto& [at, position] : positions) all.push_back(std::move(position));
  book::MinimaxBook(all, /*turned=*/false);
  return all;
}

}  // namespace joseki::cli
