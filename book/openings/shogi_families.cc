#include "book/openings/shogi_families.h"

#include "engine/shogi/packed.h"
#include "engine/shogi/types.h"

namespace joseki::book {
namespace {

using shogi::PieceType;

// The rook is in its own half, on the left side or the central file.
bool IsRanging(const ShogiCamp& camp, int file) {
  return camp.rook_file() == file && camp.rook_rank() >= 6;
}
bool IsRanging(const ShogiCamp& camp) { return camp.rook_file() >= 5 && camp.rook_rank() >= 6; }
bool IsStatic(const ShogiCamp& camp) { return camp.rook_file() >= 1 && camp.rook_file() <= 4; }
bool AreStatic(const ShogiCamp& own, const ShogiCamp& other) {
  return IsStatic(own) && IsStatic(other);
}
bool BishopsAreExchanged(const ShogiCamp& own, const ShogiCamp& other) {
  return own.HoldsBishop() && other.HoldsBishop();
}
bool BishopsAreThere(const ShogiCamp& own, const ShogiCamp& other) {
  return !own.HoldsBishop() && !other.HoldsBishop();
}
// The pawn of the file has advanced at least to `rank`, or is gone.
bool HasAdvanced(const ShogiCamp& camp, int file, int rank) { return camp.PawnRank(file) <= rank; }
bool HasPawnUpTo(const ShogiCamp& camp, int file, int rank) {
  return camp.PawnRank(file) > 0 && HasAdvanced(camp, file, rank);
}
// The silver has climbed in front of its rook.
bool HasClimbingSilver(const ShogiCamp& camp) {
  return camp.rook_file() == 2 &&
         (camp.Has(PieceType::kSilver, 2, 6) || camp.Has(PieceType::kSilver, 2, 5) ||
          camp.Has(PieceType::kSilver, 1, 5));
}

bool IsDoubleRanging(const ShogiCamp& own, const ShogiCamp& other) {
  return IsRanging(own) && IsRanging(other);
}
bool IsIshida(const ShogiCamp& own, const ShogiCamp&) {
  return IsRanging(own, 7) && own.PawnRank(7) == 5;
}
// The bishop's diagonal is open and the central pawn advances.
bool IsGokigen(const ShogiCamp& own, const ShogiCamp&) {
  return IsRanging(own, 5) && HasPawnUpTo(own, 7, 6) && own.PawnRank(6) == 7 &&
         HasAdvanced(own, 5, 6);
}
bool IsCentral(const ShogiCamp& own, const ShogiCamp&) { return IsRanging(own, 5); }
bool IsFourthFileExchanged(const ShogiCamp& own, const ShogiCamp& other) {
  return IsRanging(own, 6) && BishopsAreExchanged(own, other);
}
bool IsFourthFile(const ShogiCamp& own, const ShogiCamp&) { return IsRanging(own, 6); }
bool IsThirdFile(const ShogiCamp& own, const ShogiCamp&) { return IsRanging(own, 7); }
bool IsOpposing(const ShogiCamp& own, const ShogiCamp&) { return IsRanging(own, 8); }
// The rook has captured the pawn beside its own file, on the other side's seventh file.
bool IsSidePawn(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && own.rook_file() == 3 && own.rook_rank() >= 4 &&
         own.rook_rank() <= 6 && other.PawnRank(7) == 0;
}
bool IsExchange(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && BishopsAreExchanged(own, other);
}
bool IsRecliningSilver(const ShogiCamp& own, const ShogiCamp& other) {
  return IsExchange(own, other) && own.Has(PieceType::kSilver, 5, 6) && own.PawnRank(5) == 7;
}
bool IsExchangeClimbingSilver(const ShogiCamp& own, const ShogiCamp& other) {
  return IsExchange(own, other) && HasClimbingSilver(own);
}
bool IsRapidSilver(const ShogiCamp& own, const ShogiCamp& other) {
  return IsExchange(own, other) && own.Has(PieceType::kSilver, 4, 6) && own.PawnRank(4) == 7;
}
bool IsRightFourthFile(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && own.rook_file() == 4 && own.rook_rank() >= 7;
}
bool IsSleeve(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && own.rook_file() == 3 && own.rook_rank() >= 7;
}
bool IsClimbingSilver(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && HasClimbingSilver(own);
}
bool IsSnowRoof(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && BishopsAreThere(own, other) &&
         own.Has(PieceType::kSilver, 6, 7) && own.Has(PieceType::kGold, 7, 8) &&
         own.PawnRank(6) == 6 && HasPawnUpTo(own, 7, 6);
}
bool IsYagura(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && BishopsAreThere(own, other) &&
         own.Has(PieceType::kSilver, 7, 7) && HasPawnUpTo(own, 7, 6);
}
// The rook pawns of both sides have advanced to the fifth rank or are gone; the own bishop's
// diagonal is closed.
bool IsDoubleWing(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && BishopsAreThere(own, other) && HasAdvanced(own, 2, 5) &&
         HasAdvanced(other, 2, 5) && own.PawnRank(7) == 7;
}
bool IsDoubleStatic(const ShogiCamp& own, const ShogiCamp& other) {
  return AreStatic(own, other) && HasAdvanced(own, 2, 6) && HasAdvanced(other, 2, 6);
}

constexpr ShogiFamily kFamilies[] = {
    {"相振り飛車", "Double Ranging Rook", IsDoubleRanging},
    {"石田流", "Ishida", IsIshida},
    {"ゴキゲン中飛車", "Gokigen Central Rook", IsGokigen},
    {"中飛車", "Central Rook (Nakabisha)", IsCentral},
    {"角交換四間飛車", "Fourth-File Rook with Bishop Exchange", IsFourthFileExchanged},
    {"四間飛車", "Fourth-File Rook (Shikenbisha)", IsFourthFile},
    {"三間飛車", "Third-File Rook (Sankenbisha)", IsThirdFile},
    {"向かい飛車", "Opposing Rook (Mukaibisha)", IsOpposing},
    {"横歩取り", "Side Pawn Capture (Yokofudori)", IsSidePawn},
    {"角換わり腰掛け銀", "Bishop Exchange (Kakugawari), Reclining Silver", IsRecliningSilver},
    {"角換わり棒銀", "Bishop Exchange (Kakugawari), Climbing Silver", IsExchangeClimbingSilver},
    {"角換わり早繰り銀", "Bishop Exchange (Kakugawari), Rapid Silver", IsRapidSilver},
    {"角換わり", "Bishop Exchange (Kakugawari)", IsExchange},
    {"右四間飛車", "Right Fourth-File Rook", IsRightFourthFile},
    {"袖飛車", "Sleeve Rook", IsSleeve},
    {"棒銀", "Climbing Silver (Bogin)", IsClimbingSilver},
    {"雁木", "Snow Roof (Gangi)", IsSnowRoof},
    {"矢倉", "Yagura", IsYagura},
    {"相掛かり", "Double Wing Attack (Aigakari)", IsDoubleWing},
    {"相居飛車", "Double Static Rook", IsDoubleStatic},
};

}  // namespace

ShogiCamp::ShogiCamp(const shogi::Position& position, Color side)
    : position_(position), side_(side) {
  for (int file = 1; file <= 9; ++file) {
    for (int rank = 1; rank <= 9; ++rank) {
      if (!Has(PieceType::kRook, file, rank)) continue;
      rook_file_ = file;
      rook_rank_ = rank;
    }
  }
}

bool ShogiCamp::Has(PieceType type, int file, int rank) const {
  return position_.piece(shogi::Seen(side_, shogi::MakeSquare(file, rank))) ==
         shogi::MakePiece(side_, type);
}

int ShogiCamp::PawnRank(int file) const {
  for (int rank = 1; rank <= 9; ++rank) {
    if (Has(PieceType::kPawn, file, rank)) return rank;
  }
  return 0;
}

bool ShogiCamp::HoldsBishop() const { return position_.hand(side_).Has(PieceType::kBishop); }

std::span<const ShogiFamily> ShogiFamilies() { return kFamilies; }

std::optional<OpeningName> ShogiFamilyAt(const PackedPosition& packed) {
  const absl::StatusOr<shogi::Position> position = shogi::Unpack(packed);
  if (!position.ok()) return std::nullopt;
  const ShogiCamp black(*position, shogi::kBlack);
  const ShogiCamp white(*position, shogi::kWhite);
  for (const ShogiFamily& family : kFamilies) {
    if (family.is(black, white) || family.is(white, black)) {
      return OpeningName{"", family.name, family.english};
    }
  }
  return std::nullopt;
}

}  // namespace joseki::book
