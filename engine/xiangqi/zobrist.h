#pragma once

#include <array>

#include "base/rng.h"
#include "engine/core/types.h"
#include "engine/xiangqi/types.h"

// The random numbers of Position::key(). They never change, for the reasons given in
// engine/shogi/zobrist.h.
namespace joseki::xiangqi {

struct ZobristTables {
  std::array<std::array<Key, kSquareCount>, kPieceCount> piece;  // [piece][square]
  Key black_to_move;
};

constexpr ZobristTables MakeZobrist() {
  ZobristTables tables{};
  Rng rng(20061116);
  auto next = [&rng] { return Key{rng.Next(), rng.Next()}; };
  for (auto& row : tables.piece) {
    for (Key& key : row) key = next();
  }
  tables.black_to_move = next();
  return tables;
}

inline constexpr ZobristTables kZobrist = MakeZobrist();

}  // namespace joseki::xiangqi
