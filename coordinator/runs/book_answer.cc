#include "coordinator/runs/book_answer.h"

#include "book/stats/interval.h"
#include "book/tuning/prior_model.h"

namespace joseki::coordinator {

bool BookAnswer::Untouched(book::NodeId node, const book::Choices& choices) const {
  const book::EdgeId first = graph.node(node).first;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices.arms[i].evidence.games() > 0) return false;
    if (evaluations == nullptr) continue;
    const Evaluation* const found = evaluations->Of(first + static_cast<book::EdgeId>(i));
    if (found != nullptr && found->score) return false;
  }
  return true;
}

size_t BookAnswer::Before(book::NodeId node, const book::Choices& choices) const {
  const book::EdgeId best = book::BestImported(graph, imported, node);
  if (best != book::kNoEdge) return best - graph.node(node).first;
  size_t most = 0;
  for (size_t i = 1; i < choices.size(); ++i) {
    if (choices.arms[i].base_weight > choices.arms[most].base_weight) most = i;
  }
  return most;
}

bool BookAnswer::MayBe(book::NodeId node, const book::Choices& choices, size_t i) const {
  const book::EdgeId best = book::BestImported(graph, imported, node);
  if (best == book::kNoEdge) return true;
  const book::EdgeId first = graph.node(node).first;
  const book::ImportedValue& value = imported[first + static_cast<book::EdgeId>(i)];
  const int most = imported[best].score;
  if (!value.known() || value.score >= most - kTolerance) return true;
  const book::DrawValue draw = policy.draw_value();
  const auto points = [&](size_t move) {
    return 1e-3 * static_cast<double>(draw.Points(choices.arms[move].evidence, choices.mover));
  };
  const book::Prior prior = book::PriorOf(most, {});
  const double games = choices.arms[best - first].evidence.games();
  const double worth =
      (points(best - first) + double{prior.games} * prior.value) / (games + prior.games);
  return book::Wilson(points(i), choices.arms[i].evidence.games()).low > worth;
}

}  // namespace joseki::coordinator
