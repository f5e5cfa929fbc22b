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

// The squares reached by `steps`, which are given for Black; ranks are mirrored for White.
constexpr Bitboard Steps(Color c, Square s, std::initializer_list<Step> steps) {
  Bitboard reached;
  for (const Step& step : steps) {
    const int file = FileOf(s) + step.file;
    const int rank = RankOf(s) + (c == kBlack ? step.rank : -step.rank);
    if (OnBoard(file, rank)) reached |= Bit(MakeSquare(file, rank));
  }
  return reached;
}

constexpr uint64_t Reversed(uint64_t x) {
  uint64_t reversed = 0;
  for (int i = 0; i < 8; ++i) reversed |= (x >> 8 * i & 0xff) << (56 - 8 * i);
  return reversed;
}

constexpr LineRays Line(Bitboard ascending, Bitboard descending) {
  return {{ascending.lo(), Reversed(descending.hi())}, {ascending.hi(), Reversed(descending.lo())}};
}

// Attacks up and down a file from its rank-th square. `occupied` holds the file's squares without
// the first and the last, behind which nothing lies.
constexpr uint16_t FileReach(int rank, int occupied) {
  int reach = 0;
  for (const int step : {-1, 1}) {
    for (int to = rank + step; to >= 0 && to < 9; to += step) {
      reach |= 1 << to;
      if ((occupied << 1 >> to & 1) != 0) break;
    }
  }
  return static_cast<uint16_t>(reach);
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
      auto& step = t.step[Index(c)];
      step[kPawn][s] = Steps(c, s, {{0, -1}});
      step[kKnight][s] = Steps(c, s, {{-1, -2}, {1, -2}});
      step[kSilver][s] = Steps(c, s, {{-1, -1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}});
      const Bitboard gold = Steps(c, s, {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}});
      for (const PieceType kind : {kGold, kProPawn, kProLance, kProKnight, kProSilver}) {
        step[kind][s] = gold;
      }
      for (const PieceType kind : {kKing, kHorse, kDragon}) step[kind][s] = step[kSilver][s] | gold;
    }
    t.diagonals[s] = {Line(t.ray[kSouthWest][s], t.ray[kNorthEast][s]),
                      Line(t.ray[kNorthWest][s], t.ray[kSouthEast][s])};
    t.rank[s] = Line(t.ray[kWest][s], t.ray[kEast][s]);
    t.near_files[s] = FileMask(FileOf(s));
    if (FileOf(s) > 1) t.near_files[s] |= FileMask(FileOf(s) - 1);
    if (FileOf(s) < 9) t.near_files[s] |= FileMask(FileOf(s) + 1);
    t.rank_index[s] = static_cast<uint8_t>(s % 9);
    t.file_shift[s] = static_cast<uint8_t>((s < kLowSquares ? s : s - kLowSquares) / 9 * 9);
    t.rook_rays[s] = t.ray[kNorth][s] | t.ray[kSouth][s] | t.ray[kEast][s] | t.ray[kWest][s];
    t.bishop_rays[s] =
        t.ray[kNorthEast][s] | t.ray[kSouthWest][s] | t.ray[kNorthWest][s] | t.ray[kSouthEast][s];
  }
  for (int rank = 0; rank < 9; ++rank) {
    for (int inner = 0; inner < 128; ++inner) {
      t.file[static_cast<size_t>(rank)][static_cast<size_t>(inner)] = FileReach(rank, inner);
    }
  }
  for (const Color c : {kBlack, kWhite}) {
    for (Square s = 0; s < kSquareCount; ++s) {
      const Bitboard around = t.step[Index(c)][kKing][s];
      for (Square from = 0; from < kSquareCount; ++from) {
        const auto& step = t.step[Index(c)];
        if ((step[kKing][from] | step[kKnight][from]) & around) t.reach[Index(c)][s] |= Bit(from);
      }
    }
  }
  return t;
}

}  // namespace

constinit const AttackTables kAttacks = MakeTables();

Bitboard BishopAttacks(Square s, Bitboard occupied) {
  return BishopAttacks(s, Occupancy(occupied));
}
Bitboard RookAttacks(Square s, Bitboard occupied) { return RookAttacks(s, Occupancy(occupied)); }

}  // namespace joseki::shogi
