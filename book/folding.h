#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "engine/core/rules.h"
#include "engine/core/symmetries.h"
#include "engine/core/types.h"

namespace joseki::book {

// Folding: a run's policy treats a position and its images (engine/core/symmetries.h), such as the
// board turned around, as one. Each keeps the counts of its own games; choices use their sum.

// For each edge, the images of its move in the images of its position, where the book has them.
class Orbits {
 public:
  // The images of edge i are others[ends[i - 1]] to others[ends[i] - 1], where ends[-1] is 0.
  Orbits(std::vector<uint32_t> ends, std::vector<EdgeId> others)
      : ends_(std::move(ends)), others_(std::move(others)) {}

  size_t size() const { return ends_.size(); }  // number of edges
  // The images of `edge`, each once; never `edge` itself.
  std::span<const EdgeId> others(EdgeId edge) const {
    const uint32_t begin = edge == 0 ? 0 : ends_[edge - 1];
    return std::span(others_).subspan(begin, ends_[edge] - begin);
  }

 private:
  std::vector<uint32_t> ends_;
  std::vector<EdgeId> others_;
};

// The policy option that switches folding on: "fold", yes or no; no if it is missing.
inline constexpr char kFoldOption[] = "fold";
bool AsksToFold(const std::map<std::string, std::string>& policy_options);

// FailedPrecondition "no_symmetry" for a game without symmetries.
absl::StatusOr<const Symmetries*> SymmetriesOf(const Rules& rules);

// The images of each edge of `graph`. Errors as of SymmetriesOf.
absl::StatusOr<Orbits> OrbitsOf(const Rules& rules, const Graph& graph);

// The folding that a Tuner of this policy and these options needs; null if it does not fold.
absl::StatusOr<std::shared_ptr<const Orbits>> OrbitsFor(
    const Rules& rules, const Graph& graph,
    const std::map<std::string, std::string>& policy_options);

// A book in which each position knows what its images know. Each position gets the moves of all its
// images. A position that a move leads to is added if the book has an image of it. A new move takes
// the base weight of the move that it is an image of. Forbidden moves are not added and stay
// forbidden. Errors as of OrbitsOf and Graph::Build.
absl::StatusOr<Graph> Fold(const Rules& rules, const Graph& graph);

}  // namespace joseki::book
