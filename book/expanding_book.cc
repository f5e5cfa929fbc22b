#include "book/expanding_book.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

constexpr int kMostValue = 32'000;
constexpr double kUnreached = 1e300;

}  // namespace

std::optional<uint32_t> ExpandingBook::NodeOf(const PackedPosition& packed) const {
  const auto at = by_packed_.find(packed);
  if (at == by_packed_.end()) return std::nullopt;
  return at->second;
}

absl::StatusOr<ExpandingBook> ExpandingBook::Of(const Rules& rules, std::vector<Entry> entries) {
  ASSIGN_OR_RETURN(const auto start, rules.Start("startpos", MatchRules{}));
  ExpandingBook book(rules, start->packed());
  for (const Entry& entry : entries) RETURN_IF_ERROR(book.Add(entry));
  return book;
}

absl::Status ExpandingBook::Add(const Entry& entry) {
  if (entry.moves.empty()) return absl::OkStatus();
  std::vector<Move> moves;
  for (const ValuedMove& move : entry.moves) moves.push_back(move.move);
  Expansion expansion;
  RETURN_IF_ERROR(rules_->Expand(entry.packed, moves, expansion));
  for (size_t i = 0; i < moves.size(); ++i) {
    if (expansion.children[i].has_value()) continue;
    return MakeProblem({.code = "illegal_move",
                        .found = rules_->Text(moves[i]),
                        .expected = "a legal move in " + rules_->Text(entry.packed, entry.ply)});
  }
  const auto [at, fresh] =
      by_packed_.emplace(expansion.packed, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    nodes_.push_back({.packed = expansion.packed,
                      .ply = entry.ply,
                      .second = expansion.to_move == Color::kSecond,
                      .edges = {}});
  }
  Node& node = nodes_[at->second];
  node.ply = std::min(node.ply, entry.ply);
  for (size_t i = 0; i < moves.size(); ++i) {
    auto edge = std::find_if(node.edges.begin(), node.edges.end(),
                             [&](const Edge& known) { return known.move == moves[i]; });
    if (edge == node.edges.end()) {
      edge = node.edges.insert(node.edges.end(), Edge{});
      edge->move = moves[i];
      edge->to = expansion.children[i]->packed;
    }
    edge->value = std::clamp(entry.moves[i].value, -kMostValue, kMostValue);
  }
  backed_up_ = false;
  return absl::OkStatus();
}

void ExpandingBook::Close(const PackedPosition& position, Move move, int value) {
  const std::optional<uint32_t> at = NodeOf(position);
  if (!at.has_value()) return;
  for (Edge& edge : nodes_[*at].edges) {
    if (edge.move != move) continue;
    edge.closed = true;
    edge.value = std::clamp(value, -kMostValue, kMostValue);
  }
  backed_up_ = false;
}

void ExpandingBook::BackUp() {
  if (backed_up_) return;
  backed_up_ = true;
  graph_ = {};
  for (const Node& node : nodes_) {
    graph_.first.push_back(static_cast<uint32_t>(graph_.to.size()));
    graph_.second.push_back(node.second ? 1 : 0);
    for (const Edge& edge : node.edges) {
      const std::optional<uint32_t> to = NodeOf(edge.to);
      graph_.to.push_back(to.has_value() ? static_cast<int32_t>(*to) : kNoTarget);
      graph_.value.push_back(edge.value);
    }
  }
  graph_.first.push_back(static_cast<uint32_t>(graph_.to.size()));
  values_ = nodes_.empty() ? MinimaxValues{} : Minimax(graph_);
}

int ExpandingBook::root_value() {
  BackUp();
  const std::optional<uint32_t> start = NodeOf(start_);
  return start.has_value() ? values_.value[*start] : 0;
}

// Dijkstra's algorithm from the start; `best_only` follows best moves only.
std::optional<ExpandingBook::Leaf> ExpandingBook::Cheapest(double per_centipawn, bool best_only) {
  BackUp();
  const std::optional<uint32_t> start = NodeOf(start_);
  if (!start.has_value()) return std::nullopt;
  std::vector<double> costs(nodes_.size(), kUnreached);
  std::vector<uint32_t> from(nodes_.size(), *start);
  // (cost, node, edge). Equal costs go to the smaller node and edge. Edge 0 stands for the node
  // itself, edge i + 1 for the leaf of its move i.
  using Step = std::tuple<double, uint32_t, uint32_t>;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> steps;
  costs[*start] = 0;
  steps.emplace(0.0, *start, 0);
  while (!steps.empty()) {
    const auto [cost, node, leaf] = steps.top();
    steps.pop();
    const Node& here = nodes_[node];
    if (leaf > 0) {
      const Edge& edge = here.edges[leaf - 1];
      Leaf found{.parent = here.packed,
                 .parent_ply = here.ply,
                 .move = edge.move,
                 .known = {},
                 .position = edge.to,
                 .line = {}};
      for (const Edge& known : here.edges) found.known.push_back(known.move);
      for (uint32_t at = node;; at = from[at]) {
        found.line.insert(found.line.begin(), nodes_[at].packed);
        if (at == *start) break;
      }
      return found;
    }
    if (cost > costs[node]) continue;
    for (uint32_t i = 0; i < here.edges.size(); ++i) {
      const uint32_t number = graph_.first[node] + i;
      const int given = values_.value[node] - MoveValue(graph_, values_, number);
      if (best_only && given > 0) continue;
      const double next = cost + 1 + per_centipawn * std::max(0, given);
      const int32_t to = graph_.to[number];
      if (to == kNoTarget) {
        if (!here.edges[i].closed) steps.emplace(next, node, i + 1);
      } else if (next < costs[static_cast<uint32_t>(to)]) {
        costs[static_cast<uint32_t>(to)] = next;
        from[static_cast<uint32_t>(to)] = node;
        steps.emplace(next, static_cast<uint32_t>(to), 0);
      }
    }
  }
  return std::nullopt;
}

std::optional<ExpandingBook::Leaf> ExpandingBook::PrincipalLeaf() { return Cheapest(0, true); }

std::optional<ExpandingBook::Leaf> ExpandingBook::DropOutLeaf(double per_centipawn) {
  return Cheapest(per_centipawn, false);
}

}  // namespace joseki::book
