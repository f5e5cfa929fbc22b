#pragma once

#include <optional>

#include "engine/xiangqi/types.h"

namespace joseki::book {

// Square numbers of ElephantEye and .obk: row * 16 + column of a 16 by 16 board. The real board
// begins at column and row 3, seen from Red's side.
inline constexpr int kWideEdge = 3;
inline constexpr int kWideFiles = 16;

constexpr int ToWide(xiangqi::Square square) {
  const int row = xiangqi::kRanks - 1 - xiangqi::RankOf(square);
  return (row + kWideEdge) * kWideFiles + xiangqi::FileOf(square) + kWideEdge;
}

// Nullopt for a number off the board.
constexpr std::optional<xiangqi::Square> FromWide(int wide) {
  const int file = wide % kWideFiles - kWideEdge;
  const int rank = xiangqi::kRanks - 1 - (wide / kWideFiles - kWideEdge);
  if (!xiangqi::OnBoard(file, rank)) return std::nullopt;
  return xiangqi::MakeSquare(file, rank);
}

}  // namespace joseki::book
