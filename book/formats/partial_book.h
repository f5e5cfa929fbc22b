#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A book that finds positions similar to its own (J. Nagashima's thesis, 4.4). Two positions are
// similar if they have the same side to move, and all kings, rooks, bishops, golds and silvers on
// the same squares. The pawn in front of the rook of the side to move must match too. Similarity is
// approximate: the moves order a search or give a person ideas, and are never played unchecked.

uint64_t PartialKey(const shogi::Position& position);

class PartialBook {
 public:
  struct Counted {
    Move move;
    int64_t count = 0;
  };

  // Adds a book move of `position`; counts of one move at similar positions are summed.
  void Add(const shogi::Position& position, Move move, int64_t count);
  // The moves of all positions similar to this one that are legal here, most played first.
  std::vector<Counted> MovesFor(const shogi::Position& position) const;

  size_t keys() const { return moves_.size(); }

 private:
  absl::flat_hash_map<uint64_t, std::vector<Counted>> moves_;
};

}  // namespace joseki::book
