#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A book that finds positions like those it has (J. Nagashima's thesis, 4.4). Positions are alike
// if the side to move is the same and, for both sides, all kings, rooks, bishops, golds and silvers
// stand on the same squares, as does the pawn in front of the rook of the side to move. Likeness is
// rough: its moves order a search or give a person ideas, and are never played unchecked.

uint64_t PartialKey(const shogi::Position& position);

class PartialBook {
 public:
  struct Counted {
    Move move;
    int64_t count = 0;
  };

  // A book move of `position`; counts of one move at positions that are alike add up.
  void Add(const shogi::Position& position, Move move, int64_t count);
  // The moves of all positions like this one that are legal here, the most played first.
  std::vector<Counted> MovesFor(const shogi::Position& position) const;

  size_t keys() const { return moves_.size(); }

 private:
  absl::flat_hash_map<uint64_t, std::vector<Counted>> moves_;
};

}  // namespace joseki::book
