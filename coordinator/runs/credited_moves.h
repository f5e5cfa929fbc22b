#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/rows.h"
#include "coordinator/store/own_sides.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

class RunStore;  // coordinator/store/run_store.h

// Moves of a book that a run's games are evidence of, read back from their rows. They are the moves
// of the line and, with re-entry, the book's later answers; against an opponent the run's own
// alone. Not thread-safe.
class CreditedMoves {
 public:
  // All arguments must outlive this object. `start`: StartNode's in `graph`.
  CreditedMoves(const Rules& rules, RunStore& rows, const RunSpec& spec, const book::Graph& graph,
                book::NodeId start)
      : rules_(rules), spec_(spec), graph_(graph), start_(start), sides_(rows, spec) {}

  // Credited edges in the order of play. DataLoss "bad_row" if a game has no result or ends within
  // its line. REQUIRES: `game` is no fault.
  absl::StatusOr<std::vector<book::EdgeId>> Of(const GameRow& game);

 private:
  const Rules& rules_;
  const RunSpec& spec_;
  const book::Graph& graph_;
  const book::NodeId start_;
  OwnSides sides_;
};

}  // namespace joseki::coordinator
