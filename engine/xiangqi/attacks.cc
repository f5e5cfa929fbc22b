#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

// Reach of a slider from square `place` of a line of `length` squares. `occupied` holds the line's
// squares without the first and the last, behind which nothing lies.
constexpr LineReach ReachOf(int place, int length, int occupied) {
  LineReach reach;
  for (const int step : {-1, 1}) {
    int met = 0;
    for (int to = place + step; to >= 0 && to < length && met < 2; to += step) {
      uint16_t& line = met == 0 ? reach.rook : reach.jump;
      line = static_cast<uint16_t>(line | 1 << to);
      if ((occupied << 1 >> to & 1) != 0) ++met;
    }
  }
  return reach;
}

// Adds `to` to the step that `way` can block. If `to` is on the board, `way` is too.
constexpr void AddStep(HobbledStep& step, int way_file, int way_rank, int file, int rank) {
  if (!OnBoard(file, rank)) return;
  step.way = Bit(MakeSquare(way_file, way_rank));
  step.to |= Bit(MakeSquare(file, rank));
}

constexpr void AddHobbled(AttackTables& t, Square s) {
  const int file = FileOf(s);
  const int rank = RankOf(s);
  const auto at = static_cast<size_t>(s);
  for (size_t d = 0; d < 4; ++d) {
    // Two steps straight and one to either side.
    const int files = kFileStep[d];
    const int ranks = kRankStep[d];
    for (const int side : {-1, 1}) {
      AddStep(t.knight[at][d], file + files, rank + ranks, file + 2 * files + side * ranks,
              rank + 2 * ranks + side * files);
    }
    // The four diagonal ways.
    const int east = d < 2 ? 1 : -1;
    const int north = d % 2 == 0 ? 1 : -1;
    AddStep(t.knight_from[at][d], file + east, rank + north, file + 2 * east, rank + north);
    AddStep(t.knight_from[at][d], file + east, rank + north, file + east, rank + 2 * north);
    // Elephants never cross the river. Squares where none can stand get no steps.
    const Color owner = rank <= 4 ? kRed : kBlack;
    const int to_file = file + 2 * east;
    const int to_rank = rank + 2 * north;
    if (MayStand(owner, kElephant, s) && OnBoard(to_file, to_rank) &&
        MayStand(owner, kElephant, MakeSquare(to_file, to_rank))) {
      AddStep(t.elephant[at][d], file + east, rank + north, to_file, to_rank);
    }
  }
  for (const HobbledStep& step : t.knight[at]) t.knight_squares[at] |= step.to;
}

constexpr void AddSteps(AttackTables& t, Color c, Square s) {
  const auto color = static_cast<size_t>(Index(c));
  const auto at = static_cast<size_t>(s);
  const int forward = c == kRed ? 1 : -1;
  auto add = [&](std::array<Bitboard, kSquareCount>& steps, PieceType type, int files, int ranks) {
    if (!OnBoard(FileOf(s) + files, RankOf(s) + ranks)) return;
    const Square to = MakeSquare(FileOf(s) + files, RankOf(s) + ranks);
    if (MayStand(c, type, s) && MayStand(c, type, to)) steps[at] |= Bit(to);
  };
  for (size_t d = 0; d < 4; ++d) add(t.king[color], kKing, kFileStep[d], kRankStep[d]);
  for (const int files : {-1, 1}) {
    for (const int ranks : {-1, 1}) add(t.adviser[color], kAdviser, files, ranks);
    if (HasCrossedRiver(c, s)) add(t.pawn[color], kPawn, files, 0);
  }
  add(t.pawn[color], kPawn, 0, forward);
}

constexpr AttackTables MakeTables() {
  AttackTables t{};
  for (auto& row : t.direction) {
    for (uint8_t& direction : row) direction = kNoDirection;
  }
  for (Square s = 0; s < kSquareCount; ++s) {
    const auto at = static_cast<size_t>(s);
    t.file_of[at] = static_cast<uint8_t>(FileOf(s));
    t.rank_of[at] = static_cast<uint8_t>(RankOf(s));
    t.rank_shift[at] = static_cast<uint8_t>(s - FileOf(s) - (s < kLowSquares ? 0 : kLowSquares));
    for (size_t d = 0; d < 4; ++d) {
      int file = FileOf(s) + kFileStep[d];
      int rank = RankOf(s) + kRankStep[d];
      for (; OnBoard(file, rank); file += kFileStep[d], rank += kRankStep[d]) {
        t.ray[d][at] |= Bit(MakeSquare(file, rank));
        t.direction[at][static_cast<size_t>(MakeSquare(file, rank))] = static_cast<uint8_t>(d);
      }
      t.rook_rays[at] |= t.ray[d][at];
    }
    AddHobbled(t, s);
    t.lines_and_ways[at] = t.rook_rays[at];
    for (const HobbledStep& step : t.knight_from[at]) t.lines_and_ways[at] |= step.way;
    for (const Color c : {kRed, kBlack}) AddSteps(t, c, s);
  }
  for (size_t color = 0; color < 2; ++color) {
    for (Square from = 0; from < kSquareCount; ++from) {
      ForEach(t.pawn[color][static_cast<size_t>(from)],
              [&](Square to) { t.pawn_from[color][static_cast<size_t>(to)] |= Bit(from); });
    }
  }
  for (int place = 0; place < kRanks; ++place) {
    const auto at = static_cast<size_t>(place);
    for (int inner = 0; inner < 256; ++inner) {
      const auto index = static_cast<size_t>(inner);
      t.file[at][index] = ReachOf(place, kRanks, inner);
      if (place < kFiles && inner < 128) t.rank[at][index] = ReachOf(place, kFiles, inner);
    }
  }
  return t;
}

}  // namespace

constinit const AttackTables kAttacks = MakeTables();

}  // namespace joseki::xiangqi
