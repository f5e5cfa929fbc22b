#include "coordinator/offline/movers.h"

#include <algorithm>

#include "base/status_macros.h"
#include "book/shortest_lines.h"
#include "coordinator/runs/run_load.h"

namespace joseki::coordinator {

absl::StatusOr<Movers> MoversOf(const TunedRun& run, const Rules& rules, size_t most) {
  Movers movers;
  const book::Graph& graph = *run.run.graph;
  struct Changed {
    uint64_t games;  // including trials
    uint16_t ply;
    book::NodeId node;
  };
  const auto before_in = [](const ExportBook::Position& position) {
    return std::max_element(
        position.moves.begin(), position.moves.end(),
        [](const ExportBook::Move& a, const ExportBook::Move& b) { return a.prior < b.prior; });
  };
  std::vector<Changed> changed;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.node(node).count == 0) continue;
    const ExportBook::Position position = ExportOfPosition(run, node);
    const ExportBook::Move* const after = AnswerAmong(position.moves);
    if (after == nullptr) continue;
    // Moves of equal base weight were equally the answer.
    if (before_in(position)->prior <= after->prior) continue;
    uint64_t games = 0;
    for (const ExportBook::Move& move : position.moves) games += move.evidence.played();
    games += after->trials;
    if (games > 0 || after->searched > 0) changed.push_back({games, graph.node(node).ply, node});
  }
  movers.changed = changed.size();
  std::stable_sort(changed.begin(), changed.end(), [](const Changed& a, const Changed& b) {
    return a.games != b.games ? a.games > b.games : a.ply < b.ply;
  });
  changed.resize(std::min(most, changed.size()));
  ASSIGN_OR_RETURN(const book::NodeId start, StartNode(rules, graph, run.run.row.spec));
  const book::ShortestLines lines(graph, start);
  for (const Changed& at : changed) {
    const ExportBook::Position position = ExportOfPosition(run, at.node);
    movers.top.push_back({.position = rules.Text(position.packed, position.ply),
                          .packed = position.packed,
                          .line = lines.To(at.node),
                          .games = at.games,
                          .before = *before_in(position),
                          .after = *AnswerAmong(position.moves)});
  }
  return movers;
}

}  // namespace joseki::coordinator
