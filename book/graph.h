#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

using NodeId = uint32_t;
using EdgeId = uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;
inline constexpr EdgeId kNoEdge = 0xffffffff;
// Base weights lie in [-kMaxBaseWeight, kMaxBaseWeight], so that sums of them stay exact.
inline constexpr int64_t kMaxBaseWeight = 1'000'000'000'000;

// One book position, as Graph::Build takes it.
struct GraphInput {
  PackedPosition packed;
  int ply = 1;  // smallest ply at which it was seen, 1 to 65535; for output only
  struct Move {
    joseki::Move move;
    int64_t base_weight = 0;
  };
  std::vector<Move> moves;  // may be empty: a position that lines reach and do not continue from
};

// Moves that the user has forbidden, in the book or beyond it.
using ForbiddenMoves = std::set<std::pair<PackedPosition, Move>>;

// The frozen structure of a book: positions, their book moves, and the target of each move. Nodes
// ascend by packed form, the moves of a node by raw(). Equal books thus give equal graphs, and an
// EdgeId means the same on every machine. Immutable after construction.
class Graph {
 public:
  struct Node {
    Key key;
    PackedPosition packed;
    EdgeId first = 0;
    uint16_t count = 0;
    uint16_t ply = 1;
    Color to_move = Color::kFirst;
    bool closed = false;  // every legal move is a book move: no game can leave the book here
  };
  struct Edge {
    Move move;
    Color mover = Color::kFirst;  // the side that plays it, to move at `from`
    NodeId from = kNoNode;
    NodeId to = kNoNode;  // kNoNode: the move leads out of the book
    int64_t base_weight = 0;
  };

  // The part of a node that a walk through the graph reads. A separate array keeps these parts
  // dense, as a walk waits for memory at every step.
  struct Stop {
    EdgeId first = 0;
    uint16_t count = 0;
    bool closed = false;
    Color to_move = Color::kFirst;
  };

  Graph() = default;

  // Builds the graph and links every move that lands on a book position, transpositions included.
  // InvalidArgument on a duplicate position or move, a number out of range, a position or move that
  // `rules` refuse, or a book move that is forbidden. `progress`, if not null, is called every few
  // thousand positions.
  static absl::StatusOr<Graph> Build(const Rules& rules, std::vector<GraphInput> positions,
                                     const std::function<void()>& progress = nullptr,
                                     ForbiddenMoves forbidden = {});

  // A snapshot of the book; the SHA-256 of its bytes is the book's identity. Parse(Serialize())
  // gives an equal graph. docs/reference/formats.md has the layout. Parse trusts nothing in
  // `bytes`: it replays every move by `rules`. "bad_snapshot" for anything that Serialize would not
  // have written.
  std::string Serialize() const;
  static absl::StatusOr<Graph> Parse(const Rules& rules, std::string_view bytes,
                                     const std::function<void()>& progress = nullptr);

  // A cache of what Parse computes by the rules, stored beside a snapshot. Valid only for `bytes`,
  // and only if this program wrote it: links of another party must not be used. ParseWithLinks
  // gives the graph that Parse gives, many times faster. NotFound if the links have another form,
  // belong to other bytes, are damaged, or were made when `rules` gave positions other keys: call
  // Parse then.
  std::string SerializeLinks() const;
  static absl::StatusOr<Graph> ParseWithLinks(const Rules& rules, std::string_view bytes,
                                              std::string_view links);

  // A graph that no game stands behind, such as a synthetic one. REQUIRES: keys differ; the edges
  // of node i are contiguous from nodes[i].first, ascending by move.
  static Graph OfParts(std::vector<Node> nodes, std::vector<Edge> edges);

  size_t node_count() const { return nodes_.size(); }
  size_t edge_count() const { return edges_.size(); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const Edge& edge(EdgeId id) const { return edges_[id]; }
  const Stop& stop(NodeId id) const { return stops_[id]; }
  NodeId target(EdgeId id) const { return targets_[id]; }  // edge(id).to
  std::span<const Edge> moves(NodeId id) const {
    return std::span(edges_).subspan(nodes_[id].first, nodes_[id].count);
  }
  EdgeId IdOf(const Edge& edge) const { return static_cast<EdgeId>(&edge - edges_.data()); }

  // The node of a position; kNoNode if the book lacks it.
  NodeId Find(const Key& key) const;
  // The node with this packed form. REQUIRES: Build or Parse made the graph.
  NodeId FindPacked(const PackedPosition& packed) const;
  // The edge of `move` at `node`; kNoEdge if it is no book move there.
  EdgeId FindMove(NodeId node, Move move) const;

  // Moves that no answer of ours may be. None of them is a book move.
  const ForbiddenMoves& forbidden() const { return forbidden_; }
  // Those of one position, ascending.
  std::vector<Move> ForbiddenAt(const PackedPosition& packed) const;

 private:
  // Fills in stops_ and targets_ once nodes and edges are complete.
  void MakeWalkable();

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Stop> stops_;      // by node
  std::vector<NodeId> targets_;  // by edge
  absl::flat_hash_map<Key, NodeId, std::hash<Key>> by_key_;
  ForbiddenMoves forbidden_;
};

}  // namespace joseki::book
