#include "coordinator/offline/played_moves.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {

size_t PlayedMoves::NodeHash::operator()(const PackedPosition& packed) const {
  uint64_t words[4];
  static_assert(sizeof words == sizeof packed.bytes);
  std::memcpy(words, packed.bytes.data(), sizeof words);
  uint64_t hash = 0;
  for (const uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

uint32_t PlayedMoves::NodeOf(const PackedPosition& packed, int ply) {
  if (const auto at = index_.find(packed); at != index_.end()) {
    Node& node = nodes_[*at];
    node.ply = std::min(node.ply, static_cast<uint16_t>(ply));
    return *at;
  }
  const auto id = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.packed = packed, .ply = static_cast<uint16_t>(ply)});
  index_.insert(id);
  return id;
}

uint32_t PlayedMoves::FindEdge(uint32_t node, Move move) const {
  uint32_t edge = nodes_[node].first_edge;
  while (edge != kNone && edges_[edge].move != move) edge = edges_[edge].next;
  return edge;
}

absl::Status PlayedMoves::Walk(std::span<const Move> moves) {
  path_.clear();
  std::unique_ptr<GameState> state;  // stands at `node` once the game has left what is known
  if (nodes_.empty()) {
    ASSIGN_OR_RETURN(state, rules_.Start("startpos", MatchRules{}));
    NodeOf(state->packed(), 1);
  }
  uint32_t node = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    const bool last = i + 1 == moves.size();
    nodes_[node].ply = std::min(nodes_[node].ply, static_cast<uint16_t>(i + 1));
    uint32_t edge = FindEdge(node, moves[i]);
    if (edge != kNone && (last || edges_[edge].to != kNone)) {
      state.reset();
    } else {
      if (state == nullptr) {
        ASSIGN_OR_RETURN(state, rules_.Start(nodes_[node].packed, MatchRules{}));
      }
      if (!state->Play(moves[i])) {
        return MakeProblem({.code = "illegal_move",
                            .found = absl::StrCat(rules_.Text(moves[i]), " at ply ", i + 1),
                            .expected = "a legal move"});
      }
      if (edge == kNone) {
        edge = static_cast<uint32_t>(edges_.size());
        edges_.push_back({.next = nodes_[node].first_edge, .move = moves[i]});
        nodes_[node].first_edge = edge;
      }
      if (!last) edges_[edge].to = NodeOf(state->packed(), static_cast<int>(i) + 2);
    }
    path_.push_back(edge);
    node = edges_[edge].to;
  }
  return absl::OkStatus();
}

absl::Status PlayedMoves::Add(std::span<const Move> moves, Result result) {
  const auto opening = moves.first(std::min(moves.size(), static_cast<size_t>(plies_)));
  RETURN_IF_ERROR(Walk(opening));
  for (size_t i = 0; i < path_.size(); ++i) {
    Edge& edge = edges_[path_[i]];
    const Color mover = i % 2 == 0 ? Color::kFirst : Color::kSecond;
    ++edge.games;
    edge.wins += result == WinFor(mover);
    edge.losses += result == WinFor(~mover);
    edge.draws += result == Result::kDraw;
  }
  return absl::OkStatus();
}

void PlayedMoves::Clear() {
  index_.clear();
  index_.rehash(0);
  std::vector<Node>().swap(nodes_);
  std::vector<Edge>().swap(edges_);
}

absl::Status PlayedMoves::ForEach(const Visitor& visit) const {
  std::vector<uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [this](uint32_t a, uint32_t b) { return nodes_[a].packed < nodes_[b].packed; });
  std::vector<Played> moves;
  for (const uint32_t id : order) {
    moves.clear();
    for (uint32_t at = nodes_[id].first_edge; at != kNone; at = edges_[at].next) {
      const Edge& edge = edges_[at];
      if (edge.games == 0) continue;
      moves.push_back({edge.move, {edge.games, edge.wins, edge.draws, edge.losses}});
    }
    if (moves.empty()) continue;
    std::sort(moves.begin(), moves.end(),
              [](const Played& a, const Played& b) { return a.move < b.move; });
    RETURN_IF_ERROR(visit(nodes_[id].packed, nodes_[id].ply, moves));
  }
  return absl::OkStatus();
}

}  // namespace joseki::coordinator
