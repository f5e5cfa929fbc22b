#include "coordinator/offline/input_book.h"

#include <algorithm>
#include <utility>

#include "coordinator/runs/book_answer.h"

namespace joseki::coordinator {

ExportBook InputOf(const TunedRun& tuned) {
  const LoadedRun& run = tuned.run;
  const book::Graph& graph = *run.graph;
  const BookAnswer answers{graph, *run.policy, *run.imported, run.evaluations.get()};
  ExportBook book;
  book.answer_rule = "best imported value, then largest base weight";
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    const book::Graph::Node& at = graph.node(node);
    ExportBook::Position position{.packed = at.packed, .ply = at.ply, .moves = {}};
    const size_t answer = at.count == 0 ? 0 : answers.Before(node, run.tuner->choices(node));
    for (const book::Graph::Edge& edge : graph.moves(node)) {
      ExportBook::Move& move = position.moves.emplace_back();
      move.move = edge.move;
      move.prior = edge.base_weight;
      move.weight = static_cast<double>(edge.base_weight);
      move.answer = position.moves.size() == answer + 1;
      const book::EdgeId id = graph.IdOf(edge);
      if (id < run.imported->size() && (*run.imported)[id].known()) {
        move.value = (*run.imported)[id].score;
      }
    }
    SetWorth(position);
    book.positions.push_back(std::move(position));
  }
  std::sort(book.positions.begin(), book.positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  return book;
}

}  // namespace joseki::coordinator
