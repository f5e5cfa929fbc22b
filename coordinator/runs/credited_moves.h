#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/store/own_sides.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The moves of a book that the games of a run are evidence of, read back from the games' rows:
// those of its line and, with re-entry, those by which the book answered after it; against an
// opponent the run's own alone. Not thread-safe.
class CreditedMoves {
 public:
  // All must outlive this. `start`: StartNode's in `graph`.
  CreditedMoves(const Rules& rules, RunStore& rows, const RunSpec& spec, const book::Graph& graph,
                book::NodeId start)
      : rules_(rules), spec_(spec), graph_(graph), start_(start), sides_(rows, spec) {}

  // In the order in which they were played. DataLoss "bad_row" where a game has no result or ends
  // within its line: a fault is no evidence. REQUIRES: `game` is none.
  absl::StatusOr<std::vector<book::EdgeId>> Of(const GameRow& game);

 private:
  const Rules& rules_;
  const RunSpec& spec_;
  const book::Graph& graph_;
  const book::NodeId start_;
  OwnSides sides_;
};

}  // namespace joseki::coordinator
