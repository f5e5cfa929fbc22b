#pragma once

#include <cstdint>

#include "engine/core/game.h"

namespace joseki {

// Number of sequences of `depth` legal moves. The last ply is generated and counted, not played. G
// names a game's Position, Undo and MoveList.
template <typename G>
uint64_t Perft(typename G::Position& position, int depth) {
  if (depth <= 0) return 1;
  typename G::MoveList moves;
  position.template Generate<GenType::kAll>(moves);
  if (depth == 1) return static_cast<uint64_t>(moves.size());
  uint64_t nodes = 0;
  for (const Move move : moves) {
    typename G::Undo undo;
    position.Do(move, undo);
    nodes += Perft<G>(position, depth - 1);
    position.TakeBack(move, undo);
  }
  return nodes;
}

}  // namespace joseki
