#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Colours folded: a position and the same one turned (engine/core/turning.h) are one to a run's
// policy. What the games of either say is counted by itself, and chosen by together.

// By edge: the same move in the turned position; kNoEdge where the book lacks one of them.
using Twins = std::vector<EdgeId>;

// Moves that no folding may put into a book.
using ForbiddenMoves = std::set<std::pair<PackedPosition, Move>>;

// The option of a policy that asks for it: "fold", no (as where it is missing) or yes.
inline constexpr char kFoldOption[] = "fold";
bool FoldsColours(const std::map<std::string, std::string>& policy_options);

// FailedPrecondition "no_turning" for a game whose sides are not alike.
absl::StatusOr<Twins> TwinsOf(const Rules& rules, const Graph& graph);

// What a Tuner of the policy with these options folds by: null where it does not fold.
absl::StatusOr<std::shared_ptr<const Twins>> TwinsFor(
    const Rules& rules, const Graph& graph,
    const std::map<std::string, std::string>& policy_options);

// The book that knows in each of its positions what it knows in the turned one: the moves of both,
// and the positions that its moves lead to and that it has only turned. A move that is new
// somewhere has the base weight that it has there. Errors as of TwinsOf and Graph::Build.
absl::StatusOr<Graph> Fold(const Rules& rules, const Graph& graph, const ForbiddenMoves& forbidden);

}  // namespace joseki::book
