#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
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

// Folding: a position and its images (engine/core/symmetries.h), such as the same one turned, are
// one to a run's policy. What the games of each say is counted by itself, and chosen by together.

// By edge, the same move in the images of its position, as far as the book has them.
class Orbits {
 public:
  // `ends` is where the others of each edge end in `others`.
  Orbits(std::vector<uint32_t> ends, std::vector<EdgeId> others)
      : ends_(std::move(ends)), others_(std::move(others)) {}

  size_t size() const { return ends_.size(); }  // edges
  // Neither the edge itself nor one twice.
  std::span<const EdgeId> others(EdgeId edge) const {
    const uint32_t begin = edge == 0 ? 0 : ends_[edge - 1];
    return std::span(others_).subspan(begin, ends_[edge] - begin);
  }

 private:
  std::vector<uint32_t> ends_;
  std::vector<EdgeId> others_;
};

// Moves that no folding may put into a book.
using ForbiddenMoves = std::set<std::pair<PackedPosition, Move>>;

// The option of a policy that asks for it: "fold", no (as where it is missing) or yes.
inline constexpr char kFoldOption[] = "fold";
bool AsksToFold(const std::map<std::string, std::string>& policy_options);

// FailedPrecondition "no_symmetry" for a game that has none.
absl::StatusOr<const Symmetries*> SymmetriesOf(const Rules& rules);

// Errors as of SymmetriesOf.
absl::StatusOr<Orbits> OrbitsOf(const Rules& rules, const Graph& graph);

// The folding of a Tuner with this policy and these options; null if it does not fold.
absl::StatusOr<std::shared_ptr<const Orbits>> OrbitsFor(
    const Rules& rules, const Graph& graph,
    const std::map<std::string, std::string>& policy_options);

// The book that knows in each of its positions what it knows in their images: the moves of all,
// and the positions that its moves lead to and of which it has only an image. A move that is new
// somewhere has the base weight that it has there. Errors as of OrbitsOf and Graph::Build.
absl::StatusOr<Graph> Fold(const Rules& rules, const Graph& graph, const ForbiddenMoves& forbidden);

}  // namespace joseki::book
