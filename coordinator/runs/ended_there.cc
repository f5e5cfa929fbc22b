#include "coordinator/runs/ended_there.h"

#include <vector>

#include "book/reentry.h"

namespace joseki::coordinator {

LostLines::EndedThere EndedThereBy(const RunBook& book, const RunEvidence& evidence,
                                   const RunSpec& spec) {
  return [&book, &evidence, &spec](const LostLines::Lost& lost) {
    const book::Tuner& tuner = evidence.tuner();
    std::vector<book::EdgeId> edges = book.EdgesOf(lost.line);
    book::KeepOwn(*book.graph, lost.own, edges);
    book::NodeId end = book.start;
    uint64_t came = evidence.counters().games;
    if (spec.taken_over) came += spec.taken_over->games;
    if (!edges.empty()) {
      end = book.graph->target(edges.back());
      came = tuner.arms()[edges.back()].evidence.played();
    }
    // Moves of the opponent have no evidence, so games that went on are not known.
    if (end == book::kNoNode || lost.own) return came > 0;
    uint64_t went_on = 0;
    for (const book::Arm& arm : tuner.arms(end)) went_on += arm.evidence.played();
    return came > went_on;
  };
}

}  // namespace joseki::coordinator
