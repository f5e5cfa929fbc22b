#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "book/openings/openings.h"
#include "engine/core/types.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// One side of a position as that side sees it. Files and ranks are those of Black, so the side's
// own rook begins on the second file and eighth rank.
class ShogiCamp {
 public:
  ShogiCamp(const shogi::Position& position, Color side);

  bool Has(shogi::PieceType type, int file, int rank) const;
  // Rank of the side's pawn on the file, initially 7; 0: no pawn there.
  int PawnRank(int file) const;
  bool HoldsBishop() const;
  int rook_file() const { return rook_file_; }  // 0: no unpromoted rook on the board
  int rook_rank() const { return rook_rank_; }

 private:
  const shogi::Position& position_;
  const Color side_;
  int rook_file_ = 0;
  int rook_rank_ = 0;
};

// A family of shogi openings and its rule here, which sees the playing side's camp and the other
// side's. Names are the field's; the rules are ours and look at placement alone.
struct ShogiFamily {
  std::string_view name;  // Japanese
  std::string_view english;
  bool (*is)(const ShogiCamp& own, const ShogiCamp& other);
};
// Special families first: a position gets the name of the first that either side fulfils.
std::span<const ShogiFamily> ShogiFamilies();

// Nullopt where no rule holds, as at the start. The code is empty: no classification exists.
std::optional<OpeningName> ShogiFamilyAt(const PackedPosition& packed);

}  // namespace joseki::book
