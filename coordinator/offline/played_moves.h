#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "coordinator/store/book_store.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// The opening moves of many games from the start position, added up in memory: positions without
// ply, transpositions merged, and for each move how the games went for the side that played it.
//
// A game costs a walk along moves already known; only what is new is replayed by the rules. Not
// thread-safe.
class PlayedMoves {
 public:
  // Takes the first `plies` moves of each game.
  PlayedMoves(const Rules& rules, int plies) : rules_(rules), plies_(plies) {}

  // Counts a game. InvalidArgument if a move among the first `plies` is illegal; then it is not
  // counted.
  absl::Status Add(std::span<const Move> moves, Result result);

  struct Played {
    Move move;
    MoveCounts counts;
  };
  using Visitor =
      std::function<absl::Status(const PackedPosition&, int ply, std::vector<Played>& moves)>;
  // Every position that has moves, ascending by packed form, with its moves ascending by raw().
  // Stops at the first error of `visit`.
  absl::Status ForEach(const Visitor& visit) const;

  size_t positions() const { return nodes_.size(); }
  // What it takes of memory, about.
  size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) +
           index_.capacity() * (sizeof(uint32_t) + 1);
  }
  // Forgets everything, and gives the memory back.
  void Clear();

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  struct Node {
    PackedPosition packed;
    uint32_t first_edge = kNone;
    uint16_t ply = 1;
  };
  struct Edge {
    uint32_t to = kNone;    // unknown until a game goes on from there
    uint32_t next = kNone;  // sibling
    uint32_t games = 0;
    uint32_t wins = 0;
    uint32_t draws = 0;
    uint32_t losses = 0;
    Move move;
  };
  // Nodes are found by what they hold, not by a copy of it.
  struct NodeHash {
    using is_transparent = void;
    size_t operator()(uint32_t node) const { return (*this)((*nodes)[node].packed); }
    size_t operator()(const PackedPosition& packed) const;
    const std::vector<Node>* nodes;
  };
  struct NodeEqual {
    using is_transparent = void;
    bool operator()(uint32_t a, uint32_t b) const { return a == b; }
    bool operator()(uint32_t a, const PackedPosition& b) const { return (*nodes)[a].packed == b; }
    bool operator()(const PackedPosition& a, uint32_t b) const { return (*nodes)[b].packed == a; }
    const std::vector<Node>* nodes;
  };

  uint32_t NodeOf(const PackedPosition& packed, int ply);
  uint32_t FindEdge(uint32_t node, Move move) const;
  // Leaves the edges of an opening in path_, made where they are new: an edge without games counts
  // for nothing.
  absl::Status Walk(std::span<const Move> moves);

  const Rules& rules_;
  const int plies_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  absl::flat_hash_set<uint32_t, NodeHash, NodeEqual> index_{0, NodeHash{&nodes_},
                                                            NodeEqual{&nodes_}};
  std::vector<uint32_t> path_;  // edges of the game that is being added
};

}  // namespace joseki::coordinator
