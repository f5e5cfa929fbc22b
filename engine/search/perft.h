#pragma once

#include <cstdint>

#include "engine/core/game.h"

namespace joseki {

// How many sequences of `depth` legal moves there are. The last ply is counted, not played.
template <Game G>
uint64_t Perft(typename G::Position& pos, int depth) {
  if (depth <= 0) return 1;
  typename G::MoveList moves;
  G::template Generate<GenType::kAll>(pos, moves);
  if (depth == 1) return static_cast<uint64_t>(moves.size());
  uint64_t nodes = 0;
  for (const Move move : moves) {
    typename G::Undo undo;
    G::Do(pos, move, undo);
    nodes += Perft<G>(pos, depth - 1);
    G::TakeBack(pos, move, undo);
  }
  return nodes;
}

}  // namespace joseki
