#include "book/folding.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/turning.h"

namespace joseki::book {
namespace {

absl::StatusOr<const Turning*> TurningOf(const Rules& rules) {
  if (const auto* turning = dynamic_cast<const Turning*>(&rules)) return turning;
  return MakeProblem({.code = "no_turning",
                      .found = std::string(rules.game()),
                      .expected = "a game whose colours can be exchanged, to fold them"},
                     absl::StatusCode::kFailedPrecondition);
}

// Adds the moves that the book has at `from`, turned, to those of `to`.
void AddTurned(const Turning& turning, const Graph& graph, NodeId from,
               const ForbiddenMoves& forbidden, GraphInput& to) {
  for (const Graph::Edge& edge : graph.moves(from)) {
    const Move move = turning.Turned(edge.move);
    if (forbidden.contains({to.packed, move})) continue;
    if (std::any_of(to.moves.begin(), to.moves.end(),
                    [move](const GraphInput::Move& known) { return known.move == move; })) {
      continue;
    }
    to.moves.push_back({move, edge.base_weight});
  }
}

}  // namespace

bool FoldsColours(const std::map<std::string, std::string>& policy_options) {
  const auto option = policy_options.find(kFoldOption);
  return option != policy_options.end() && option->second == "yes";
}

absl::StatusOr<Twins> TwinsOf(const Rules& rules, const Graph& graph) {
  ASSIGN_OR_RETURN(const Turning* const turning, TurningOf(rules));
  Twins twins(graph.edge_count(), kNoEdge);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    // The side to move is another one in the turned position: half of them lead to all.
    if (graph.stop(node).to_move != Color::kFirst) continue;
    const NodeId turned = graph.FindPacked(turning->Turned(graph.node(node).packed));
    if (turned == kNoNode) continue;
    for (const Graph::Edge& edge : graph.moves(node)) {
      const EdgeId twin = graph.FindMove(turned, turning->Turned(edge.move));
      if (twin == kNoEdge) continue;
      twins[graph.IdOf(edge)] = twin;
      twins[twin] = graph.IdOf(edge);
    }
  }
  return twins;
}

absl::StatusOr<std::shared_ptr<const Twins>> TwinsFor(
    const Rules& rules, const Graph& graph,
    const std::map<std::string, std::string>& policy_options) {
  std::shared_ptr<const Twins> twins;
  if (!FoldsColours(policy_options)) return twins;
  ASSIGN_OR_RETURN(Twins found, TwinsOf(rules, graph));
  twins = std::make_shared<const Twins>(std::move(found));
  return twins;
}

// 1. The positions of the book, each with the moves of the turned one. 2. From each, and from what
// is added here, the positions that moves lead to out of the book, but that it has turned.
absl::StatusOr<Graph> Fold(const Rules& rules, const Graph& graph,
                           const ForbiddenMoves& forbidden) {
  ASSIGN_OR_RETURN(const Turning* const turning, TurningOf(rules));
  std::vector<GraphInput> positions;
  positions.reserve(graph.node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const Graph::Node& at = graph.node(node);
    GraphInput& input = positions.emplace_back(GraphInput{at.packed, at.ply, {}});
    for (const Graph::Edge& edge : graph.moves(node)) {
      input.moves.push_back({edge.move, edge.base_weight});
    }
    const NodeId turned = graph.FindPacked(turning->Turned(at.packed));
    if (turned != kNoNode) AddTurned(*turning, graph, turned, forbidden, input);
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
      const NodeId turned = graph.FindPacked(turning->Turned(child->packed));
      if (turned == kNoNode) continue;
      GraphInput input{child->packed, ply, {}};
      AddTurned(*turning, graph, turned, forbidden, input);
      added.insert(child->packed);
      if (!input.moves.empty()) positions.push_back(std::move(input));
    }
  }
  return Graph::Build(rules, std::move(positions));
}

}  // namespace joseki::book
