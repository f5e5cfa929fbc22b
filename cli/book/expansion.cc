#include "cli/book/expansion.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/status_macros.h"

namespace joseki::cli {
namespace {

struct Target {
  PackedPosition packed;
  int ply = 1;
};

// Positions within `plies` of the start, nearest first, each once.
absl::StatusOr<std::vector<Target>> FindTargets(const book::Graph& graph, const Rules& rules,
                                                int plies) {
  ASSIGN_OR_RETURN(const auto start, rules.Start("startpos", MatchRules{}));
  std::vector<Target> targets{{.packed = start->packed(), .ply = 1}};
  std::set<PackedPosition> seen{start->packed()};
  for (size_t i = 0; i < targets.size(); ++i) {
    const Target target = targets[i];
    if (target.ply >= plies) continue;
    ASSIGN_OR_RETURN(const auto here, rules.Start(target.packed, MatchRules{}));
    const book::NodeId node = graph.Find(here->key());
    if (node == book::kNoNode) continue;
    for (const book::Graph::Edge& edge : graph.moves(node)) {
      ASSIGN_OR_RETURN(const auto next, rules.Start(target.packed, MatchRules{}));
      next->Play(edge.move);
      if (!seen.insert(next->packed()).second) continue;
      targets.push_back({.packed = next->packed(), .ply = target.ply + 1});
    }
  }
  return targets;
}

// The engine's moves at one position, best first; none where it has no move to make.
absl::StatusOr<book::DbPosition> Ask(const Target& target, const Rules& rules,
                                     worker::Player& player, const ExpansionOptions& options) {
  book::DbPosition position;
  position.packed = target.packed;
  position.ply = target.ply;
  ASSIGN_OR_RETURN(const auto state, rules.Start(target.packed, MatchRules{}));
  const std::string text = rules.Text(target.packed, target.ply);
  const size_t legal = state->LegalMoves().size();
  RETURN_IF_ERROR(player.NewGame(0));
  std::vector<Move> found;
  while (found.size() < legal && static_cast<int>(found.size()) < options.width) {
    ASSIGN_OR_RETURN(
        const worker::Choice choice,
        player.Choose({.start = text, .moves = {}}, {.nodes = options.nodes, .excluded = found}));
    if (choice.kind != worker::Choice::Kind::kMove) break;
    if (!found.empty() && choice.score < position.moves.front().value - options.margin) break;
    found.push_back(choice.move);
    book::DbMove& move = position.moves.emplace_back();
    move.move = choice.move;
    move.value = choice.score;
    move.has_value = true;
    move.count = 0;
  }
  return position;
}

}  // namespace

absl::StatusOr<std::vector<book::DbPosition>> Expand(
    const book::Graph& graph, const Rules& rules, worker::Player& player,
    const ExpansionOptions& options, const std::function<bool(size_t done, size_t known)>& stops) {
  ASSIGN_OR_RETURN(const std::vector<Target> targets, FindTargets(graph, rules, options.plies));
  std::vector<book::DbPosition> positions;
  for (size_t i = 0; i < targets.size(); ++i) {
    ASSIGN_OR_RETURN(book::DbPosition position, Ask(targets[i], rules, player, options));
    if (!position.moves.empty()) positions.push_back(std::move(position));
    if (stops(i + 1, targets.size())) break;
  }
  return positions;
}

}  // namespace joseki::cli
