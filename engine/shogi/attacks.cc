#include "engine/shogi/attacks.h"

#include <initializer_list>

namespace joseki::shogi {
namespace {

constexpr bool OnBoard(int file, int rank) {
  return file >= 1 && file <= 9 && rank >= 1 && rank <= 9;
}

struct Step {
  int file;
  int rank;
};

// The squares reached by `steps` given for Black; White's ranks are mirrored.
constexpr Bitboard Steps(Color c, Square s, std::initializer_list<Step> steps) {
  Bitboard reached;
  for (const Step& step : steps) {
    const int file = FileOf(s) + step.file;
    const int rank = RankOf(s) + (c == kBlack ? step.rank : -step.rank);
    if (OnBoard(file, rank)) reached |= Bit(MakeSquare(file, rank));
  }
  return reached;
}

constexpr AttackTables MakeTables() {
  AttackTables t{};
  for (Square s = 0; s < kSquareCount; ++s) {
    for (auto& direction : t.direction[s]) direction = kNoDirection;
  }
  for (Square s = 0; s < kSquareCount; ++s) {
    for (int d = 0; d < 8; ++d) {
      int file = FileOf(s) + kFileStep[d];
      int rank = RankOf(s) + kRankStep[d];
      for (; OnBoard(file, rank); file += kFileStep[d], rank += kRankStep[d]) {
        t.ray[d][s] |= Bit(MakeSquare(file, rank));
        t.direction[s][MakeSquare(file, rank)] = static_cast<uint8_t>(d);
      }
    }
    for (const Color c : {kBlack, kWhite}) {
      const int i = Index(c);
      t.pawn[i][s] = Steps(c, s, {{0, -1}});
      t.knight[i][s] = Steps(c, s, {{-1, -2}, {1, -2}});
      t.silver[i][s] = Steps(c, s, {{-1, -1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}});
      t.gold[i][s] = Steps(c, s, {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}});
    }
    t.king[s] = t.silver[0][s] | t.gold[0][s];
  }
  return t;
}

}  // namespace

constinit const AttackTables kAttacks = MakeTables();

Bitboard Attacks(Color c, PieceType t, Square s, Bitboard occupied) {
  const int i = Index(c);
  switch (t) {
    case kPawn:
      return kAttacks.pawn[i][s];
    case kLance:
      return LanceAttacks(c, s, occupied);
    case kKnight:
      return kAttacks.knight[i][s];
    case kSilver:
      return kAttacks.silver[i][s];
    case kBishop:
      return BishopAttacks(s, occupied);
    case kRook:
      return RookAttacks(s, occupied);
    case kGold:
    case kProPawn:
    case kProLance:
    case kProKnight:
    case kProSilver:
      return kAttacks.gold[i][s];
    case kKing:
      return kAttacks.king[s];
    case kHorse:
      return BishopAttacks(s, occupied) | kAttacks.king[s];
    case kDragon:
      return RookAttacks(s, occupied) | kAttacks.king[s];
    case kNoPieceType:
      break;
  }
  return {};
}

}  // namespace joseki::shogi
