#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/minimax.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// A book that grows by one searched leaf at a time, and the choice of the leaf to search next.
//
// A leaf is a book move that leads out of the book; its value is what a search gave its mover.
// Positions have their minimax values over the whole book (book/minimax.h), repetitions included. A
// new value therefore reaches every line that leads to its position.
class ExpandingBook {
 public:
  struct ValuedMove {
    Move move;
    int value = 0;  // centipawns, from the side that plays it
  };
  struct Entry {
    PackedPosition packed;
    int ply = 1;
    std::vector<ValuedMove> moves;
  };
  // A leaf, as the search needs it.
  struct Leaf {
    PackedPosition parent;
    int parent_ply = 1;
    Move move;                         // from the parent out of the book
    std::vector<Move> known;           // all book moves of the parent
    PackedPosition position;           // where the move leads
    std::vector<PackedPosition> line;  // from the start to the parent, both inclusive
  };

  // Lines begin at the game's start position. InvalidArgument where `rules` refuse a position or
  // move.
  static absl::StatusOr<ExpandingBook> Of(const Rules& rules, std::vector<Entry> entries);

  // The leaf at the end of the principal line, as LOGISTELLO expands its book (M. Buro). Nullopt if
  // that line repeats or ends the game, or if the book lacks the start position.
  std::optional<Leaf> PrincipalLeaf();
  // The leaf of least cost, as in drop-out expansion (T. Lincke). A ply costs 1, and each centipawn
  // that the mover gives away costs `per_centipawn`. Lines that both sides would choose are thus
  // known deeper. Nullopt if the book has no leaf.
  std::optional<Leaf> DropOutLeaf(double per_centipawn);

  // Adds moves with their search results to a new or an existing position; the value of an existing
  // move is replaced.
  absl::Status Add(const Entry& entry);
  // Records that `move` ends the game: its value is final, and it is no leaf any more.
  void Close(const PackedPosition& position, Move move, int value);

  // Value of the start position for the side to move, in centipawns.
  int root_value();
  size_t positions() const { return nodes_.size(); }

 private:
  struct Edge {
    Move move;
    int value = 0;
    bool closed = false;
    PackedPosition to;
  };
  struct Node {
    PackedPosition packed;
    int ply = 1;
    bool second = false;
    std::vector<Edge> edges;
  };

  ExpandingBook(const Rules& rules, const PackedPosition& start) : rules_(&rules), start_(start) {}
  std::optional<uint32_t> NodeOf(const PackedPosition& packed) const;
  // Repeats the minimax if the book has changed since the last one.
  void BackUp();
  // The leaf at the end of the cheapest line from the start. A move costs 1, plus `per_centipawn`
  // for each centipawn that it gives away. `best_only` allows only moves that give nothing away.
  std::optional<Leaf> Cheapest(double per_centipawn, bool best_only);

  const Rules* rules_;
  PackedPosition start_;
  std::vector<Node> nodes_;
  std::map<PackedPosition, uint32_t> by_packed_;
  bool backed_up_ = false;
  MinimaxGraph graph_;  // as of the last BackUp; lacks the moves of positions without any
  MinimaxValues values_;
};

}  // namespace joseki::book
