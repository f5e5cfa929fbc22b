#include "book/folding.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/symmetries.h"

namespace joseki::book {

absl::StatusOr<const Symmetries*> SymmetriesOf(const Rules& rules) {
  if (const auto* symmetries = dynamic_cast<const Symmetries*>(&rules)) return symmetries;
  return MakeProblem({.code = "no_symmetry",
                      .found = std::string(rules.game()),
                      .expected = "a game with images of its positions, to fold them"},
                     absl::StatusCode::kFailedPrecondition);
}

namespace {

// Adds to `to` the images of all moves that the book has in images of its position.
void AddImages(const Symmetries& symmetries, const Graph& graph, GraphInput& to) {
  for (int map = 1; map <= symmetries.count(); ++map) {
    const NodeId image = graph.FindPacked(symmetries.Image(map, to.packed));
    if (image == kNoNode) continue;
    for (const Graph::Edge& edge : graph.moves(image)) {
      const Move move = symmetries.Image(map, edge.move);
      if (graph.forbidden().contains({to.packed, move})) continue;
      if (std::any_of(to.moves.begin(), to.moves.end(),
                      [move](const GraphInput::Move& known) { return known.move == move; })) {
        continue;
      }
      to.moves.push_back({move, edge.base_weight});
    }
  }
}

}  // namespace

bool AsksToFold(const std::map<std::string, std::string>& policy_options) {
  const auto option = policy_options.find(kFoldOption);
  return option != policy_options.end() && option->second == "yes";
}

absl::StatusOr<Orbits> OrbitsOf(const Rules& rules, const Graph& graph) {
  ASSIGN_OR_RETURN(const Symmetries* const symmetries, SymmetriesOf(rules));
  std::vector<uint32_t> ends;
  ends.reserve(graph.edge_count());
  std::vector<EdgeId> others;
  std::vector<NodeId> images(static_cast<size_t>(symmetries->count()));
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    for (int map = 1; map <= symmetries->count(); ++map) {
      images[map - 1] = graph.FindPacked(symmetries->Image(map, graph.node(node).packed));
    }
    for (const Graph::Edge& edge : graph.moves(node)) {
      const auto begin = static_cast<std::ptrdiff_t>(others.size());
      for (int map = 1; map <= symmetries->count(); ++map) {
        if (images[map - 1] == kNoNode) continue;
        const EdgeId other = graph.FindMove(images[map - 1], symmetries->Image(map, edge.move));
        // A position, or a move in it, may be its own image.
        if (other == kNoEdge || other == graph.IdOf(edge) ||
            std::find(others.begin() + begin, others.end(), other) != others.end()) {
          continue;
        }
        others.push_back(other);
      }
      ends.push_back(static_cast<uint32_t>(others.size()));
    }
  }
  return Orbits(std::move(ends), std::move(others));
}

absl::StatusOr<std::shared_ptr<const Orbits>> OrbitsFor(
    const Rules& rules, const Graph& graph,
    const std::map<std::string, std::string>& policy_options) {
  std::shared_ptr<const Orbits> orbits;
  if (!AsksToFold(policy_options)) return orbits;
  ASSIGN_OR_RETURN(Orbits found, OrbitsOf(rules, graph));
  orbits = std::make_shared<const Orbits>(std::move(found));
  return orbits;
}

// Step 1: the book's positions, each with the moves of its images. Step 2: positions outside the
// book that a move of a known or newly added position reaches, if the book has an image of them.
absl::StatusOr<Graph> Fold(const Rules& rules, const Graph& graph) {
  ASSIGN_OR_RETURN(const Symmetries* const symmetries, SymmetriesOf(rules));
  std::vector<GraphInput> positions;
  positions.reserve(graph.node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const Graph::Node& at = graph.node(node);
    GraphInput& input = positions.emplace_back(GraphInput{at.packed, at.ply, {}});
    for (const Graph::Edge& edge : graph.moves(node)) {
      input.moves.push_back({edge.move, edge.base_weight});
    }
    AddImages(*symmetries, graph, input);
  }
  std::set<PackedPosition> added;
  std::vector<Move> moves;
  Expansion expansion;
  for (size_t i = 0; i < positions.size(); ++i) {
    moves.clear();
    for (const GraphInput::Move& move : positions[i].moves) moves.push_back(move.move);
    const int ply = std::min<int>(positions[i].ply + 1, std::numeric_limits<uint16_t>::max());
    RETURN_IF_ERROR(rules.Expand(positions[i].packed, moves, expansion));
    for (const std::optional<Expansion::Child>& child : expansion.children) {
      if (!child || graph.FindPacked(child->packed) != kNoNode || added.contains(child->packed)) {
        continue;
      }
      GraphInput input{child->packed, ply, {}};
      AddImages(*symmetries, graph, input);
      if (input.moves.empty()) continue;
      added.insert(child->packed);
      positions.push_back(std::move(input));
    }
  }
  return Graph::Build(rules, std::move(positions), nullptr, graph.forbidden());
}

}  // namespace joseki::book
