#pragma once

#include <array>

#include "base/rng.h"
#include "engine/core/types.h"
#include "engine/shogi/types.h"

// The random numbers of Position::key(). They never change. Databases and snapshots hold packed
// forms, but bench signatures, stored links of snapshots, and shares in games against an opponent
// (book/reentry.h) depend on keys.
namespace joseki::shogi {

struct ZobristTables {
  std::array<std::array<Key, kSquareCount>, 32> piece;  // [piece][square]
  std::array<std::array<std::array<Key, 19>, kHandTypeCount>, 2>
      hand;  // [color][kind][count], 0 is no key
  Key white_to_move;
};

constexpr ZobristTables MakeZobrist() {
  ZobristTables tables{};
  Rng rng(20061115);
  auto next = [&rng] { return Key{rng.Next(), rng.Next()}; };
  for (auto& row : tables.piece) {
    for (Key& key : row) key = next();
  }
  for (auto& side : tables.hand) {
    for (auto& kind : side) {
      for (size_t n = 1; n < kind.size(); ++n) kind[n] = next();
    }
  }
  tables.white_to_move = next();
  return tables;
}

inline constexpr ZobristTables kZobrist = MakeZobrist();

}  // namespace joseki::shogi
