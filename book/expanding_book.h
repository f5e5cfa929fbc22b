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

// A book that is expanded where it matters most: which leaf to search next.
//
// A leaf is a book move that leads out of the book; its value is what the move is known to be worth
// to its mover. Positions have the values of minimax over the whole (book/minimax.h), circles and
// all, so every new value is felt at once wherever lines lead there.
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
  // The position to search.
  struct Leaf {
    PackedPosition parent;
    int parent_ply = 1;
    Move move;                         // from the parent out of the book
    std::vector<Move> known;           // all book moves of the parent
    PackedPosition position;           // where the move leads
    std::vector<PackedPosition> line;  // from the start to the parent, both included
  };

  // Lines begin at the game's start position. InvalidArgument where the rules refuse something.
  static absl::StatusOr<ExpandingBook> Of(const Rules& rules, std::vector<Entry> entries);

  // The end of the principal line: of LOGISTELLO's expansion (M. Buro). Nullopt where that line
  // repeats itself or ends the game, or the book has no start position.
  std::optional<Leaf> PrincipalLeaf();
  // The leaf with the least cost: of drop-out expansion (T. Lincke). A ply costs 1 and each
  // centipawn that the mover gives away by it `per_centipawn`, so that lines which both sides would
  // choose are known deeper. Nullopt where there is no leaf.
  std::optional<Leaf> DropOutLeaf(double per_centipawn);

  // Adds moves with their search results to a new position or one of the book; a move that is there
  // takes the new value.
  absl::Status Add(const Entry& entry);
  // The move ends the game: its value stands, and it is no leaf any more.
  void Close(const PackedPosition& position, Move move, int value);

  // The start position's value for the side to move.
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
  // Repeats the minimax if something has changed.
  void BackUp();
  // The leaf with the cheapest way from the start, where a move costs 1 plus a cost for each
  // centipawn that it gives away; with `best_only` by moves that give nothing away.
  std::optional<Leaf> Cheapest(double per_centipawn, bool best_only);

  const Rules* rules_;
  PackedPosition start_;
  std::vector<Node> nodes_;
  std::map<PackedPosition, uint32_t> by_packed_;
  bool backed_up_ = false;
  MinimaxGraph graph_;  // as of the last BackUp; positions without moves have none in it
  MinimaxValues values_;
};

}  // namespace joseki::book
