#include "engine/shogi/eval/formations.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

constexpr int kMostPlaced = 5;
struct Placed {
  PieceType type = kNoPieceType;
  int file = 0;  // as Black sees it when castling on the left
  int rank = 0;
};
struct Blueprint {
  const char* name;
  bool ranging;
  size_t goal;  // index of the castle to build
  std::array<Placed, kMostPlaced> placed;
};

// Preferred castles first. Ranging rooks castle on the right, so these are stored mirrored.
constexpr Blueprint kBlueprints[] = {
    {"yagura", false, 0, {{{kKing, 8, 8}, {kGold, 7, 8}, {kGold, 6, 7}, {kSilver, 7, 7}}}},
    {"bear in the hole",
     false,
     1,
     {{{kKing, 9, 9}, {kSilver, 8, 8}, {kGold, 7, 9}, {kGold, 7, 8}}}},
    {"left mino", false, 2, {{{kKing, 8, 8}, {kSilver, 7, 8}, {kGold, 6, 9}, {kGold, 5, 8}}}},
    {"crab", false, 0, {{{kKing, 6, 9}, {kGold, 7, 8}, {kGold, 5, 8}, {kSilver, 6, 8}}}},
    {"gangi",
     false,
     0,
     {{{kKing, 6, 9}, {kGold, 7, 8}, {kGold, 5, 8}, {kSilver, 6, 7}, {kSilver, 5, 7}}}},
    {"mino", true, 5, {{{kKing, 8, 8}, {kSilver, 7, 8}, {kGold, 6, 9}, {kGold, 5, 8}}}},
    {"high mino", true, 6, {{{kKing, 8, 8}, {kSilver, 7, 8}, {kGold, 6, 9}, {kGold, 6, 7}}}},
    {"silver crown", true, 7, {{{kKing, 8, 8}, {kSilver, 8, 7}, {kGold, 7, 8}, {kGold, 6, 7}}}},
    {"ranging bear in the hole",
     true,
     8,
     {{{kKing, 9, 9}, {kSilver, 8, 8}, {kGold, 7, 9}, {kGold, 6, 9}}}},
};
constexpr size_t kYagura = 0;

// A king in the middle with its generals spread, for a rook that floats.
constexpr Blueprint kCentralHouse = {
    "central house", false, 0, {{{kKing, 5, 8}, {kGold, 7, 8}, {kGold, 3, 8}, {kSilver, 4, 8}}}};
constexpr int kNear = 2;  // pieces in place from which a blueprint is near

// The castle to begin with, by the own strategy and the other side's. Against a ranging rook there
// is time for a deep castle on the far side; against others for a quick one.
const Blueprint& ProvisionalOf(Strategy own, Strategy other) {
  constexpr size_t kBearInTheHole = 1;
  constexpr size_t kLeftMino = 2;
  constexpr size_t kMino = 5;
  constexpr size_t kHighMino = 6;
  switch (own) {
    case Strategy::kRanging:
      return kBlueprints[other == Strategy::kRanging ? kHighMino : kMino];
    case Strategy::kFloating:
      return other == Strategy::kRanging ? kBlueprints[kLeftMino] : kCentralHouse;
    case Strategy::kStatic:
      break;
  }
  if (other == Strategy::kFloating) return kCentralHouse;
  return kBlueprints[other == Strategy::kRanging ? kBearInTheHole : kYagura];
}

// TACOS's tables for Yagura, files 9 to 5, ranks 5 to 9; those of the other castles are ours, by
// distance.
using Corner = int8_t[5][5];
constexpr Corner kYaguraMaking[2] = {{{0, 0, 0, 0, 0},
                                      {0, 0, 0, 0, 0},
                                      {-30, -30, -30, -50, -50},
                                      {80, 100, 60, 5, -50},
                                      {0, 0, 67, 31, -23}},
                                     {{0, 0, 0, 0, 0},
                                      {0, 0, 0, 0, 0},
                                      {0, 0, 20, 44, 0},
                                      {0, 0, 46, 0, -7},
                                      {0, 0, -20, -11, -40}}};
constexpr Corner kYaguraJudging[2] = {
    {{0, 0, 0, 0, 0},
     {0, 0, 0, 0, 0},
     {-50, 0, -50, -50, -100},
     {-50, 125, -20, -50, -100},
     {0, 0, -20, -50, -100}},
    {{0, 0, 0, 0, 0}, {0, 5, 5, 10, 5}, {0, 10, 20, 40, 5}, {0, 0, 50, 25, 0}, {0, 15, 10, 0, 0}}};

// Worth of a piece on its square in a finished castle; each step away reduces it during building.
constexpr int WorthOf(PieceType t) { return t == kKing ? 80 : 40; }
constexpr int kReach = 4;

constexpr int kFullBoard = 40;
constexpr int kFaded = 28;  // pieces on the board at which the term has faded to 0

// The castle corner of a side, seen as Black castling on the left.
class Corners {
 public:
  Corners(const Position& position, Color side, bool mirrored)
      : position_(position), side_(side), mirrored_(mirrored) {}

  Square Actual(int file, int rank) const {
    const Square s = MakeSquare(mirrored_ ? 10 - file : file, rank);
    return side_ == kBlack ? s : kSquareCount - 1 - s;
  }
  int File(Square s) const {
    const int file = FileOf(side_ == kBlack ? s : kSquareCount - 1 - s);
    return mirrored_ ? 10 - file : file;
  }
  int Rank(Square s) const { return RelativeRank(side_, s); }
  bool Has(const Placed& placed) const {
    return position_.piece(Actual(placed.file, placed.rank)) == MakePiece(side_, placed.type);
  }
  int InPlace(const Blueprint& blueprint) const {
    int count = 0;
    for (const Placed& placed : blueprint.placed) {
      if (placed.type != kNoPieceType && Has(placed)) ++count;
    }
    return count;
  }
  // Calls found(type, square) for the side's king, golds and silvers.
  template <typename Found>
  void ForEachBuilder(const Found& found) const {
    for (const PieceType t : {kKing, kGold, kSilver}) {
      ForEach(position_.pieces(side_, t), [&](Square s) { found(t, s); });
    }
  }

 private:
  const Position& position_;
  const Color side_;
  const bool mirrored_;
};

int PiecesOf(const Blueprint& blueprint) {
  int count = 0;
  for (const Placed& placed : blueprint.placed) count += placed.type != kNoPieceType ? 1 : 0;
  return count;
}

struct Nearest {
  const Blueprint* blueprint;
  int in_place;
};
Nearest NearestOf(const Corners& corners, bool ranging) {
  Nearest nearest = {nullptr, -1};
  for (const Blueprint& blueprint : kBlueprints) {
    if (blueprint.ranging != ranging) continue;
    const int in_place = corners.InPlace(blueprint);
    if (in_place > nearest.in_place) nearest = {&blueprint, in_place};
  }
  return nearest;
}

int FromYagura(const Corners& corners, const Corner (&tables)[2]) {
  int sum = 0;
  corners.ForEachBuilder([&](PieceType t, Square s) {
    const int file = corners.File(s);
    const int rank = corners.Rank(s);
    if (t == kSilver) {
      if (file == 7 && rank == 7) sum += WorthOf(t);
      return;
    }
    if (file >= 5 && rank >= 5) sum += tables[t == kKing ? 0 : 1][rank - 5][9 - file];
  });
  return sum;
}

int Making(const Corners& corners, const Blueprint& goal) {
  int sum = 0;
  corners.ForEachBuilder([&](PieceType t, Square s) {
    int best = 0;
    for (const Placed& placed : goal.placed) {
      if (placed.type != t) continue;
      const int steps = std::max(std::abs(corners.File(s) - placed.file),
                                 std::abs(corners.Rank(s) - placed.rank));
      best = std::max(best, WorthOf(t) * (kReach - steps) / kReach);
    }
    sum += best;
  });
  return sum;
}

int Judging(const Blueprint& goal) {
  int sum = 0;
  for (const Placed& placed : goal.placed) {
    if (placed.type != kNoPieceType) sum += WorthOf(placed.type);
  }
  return sum + WorthOf(kKing) / 2;
}

}  // namespace

Strategy StrategyOf(const Position& position, Color side) {
  Strategy strategy = Strategy::kStatic;
  bool found = false;
  ForEach(position.pieces(side, kRook), [&](Square s) {
    const Square seen = side == kBlack ? s : kSquareCount - 1 - s;
    if (found || RankOf(seen) < 5) return;
    found = true;
    if (FileOf(seen) >= 5) {
      strategy = Strategy::kRanging;
    } else if (RankOf(seen) <= 6) {
      strategy = Strategy::kFloating;
    }
  });
  if (found || position.king(side) == kNoSquare) return strategy;
  // Without a rook on the board the king's place tells the strategy.
  const Square king = position.king(side);
  const int file = FileOf(side == kBlack ? king : kSquareCount - 1 - king);
  return file <= 4 ? Strategy::kRanging : Strategy::kStatic;
}

RecognisedFormation FormationNearest(const Position& position, Color side) {
  const bool ranging = StrategyOf(position, side) == Strategy::kRanging;
  const Nearest nearest = NearestOf(Corners(position, side, ranging), ranging);
  return {.name = nearest.blueprint->name,
          .pieces = PiecesOf(*nearest.blueprint),
          .in_place = nearest.in_place,
          .goal = kBlueprints[nearest.blueprint->goal].name};
}

const char* ProvisionalCastle(Strategy own, Strategy other) {
  return ProvisionalOf(own, other).name;
}

int FormationOf(const Position& position, Color side, bool provisional) {
  const int left = position.occupied().Count() - kFaded;
  if (left <= 0) return 0;
  const Strategy strategy = StrategyOf(position, side);
  const bool ranging = strategy == Strategy::kRanging;
  const Corners corners(position, side, ranging);
  const Nearest nearest = NearestOf(corners, ranging);
  const Blueprint& goal = provisional && nearest.in_place < kNear
                              ? ProvisionalOf(strategy, StrategyOf(position, ~side))
                              : kBlueprints[nearest.blueprint->goal];
  const bool complete = corners.InPlace(goal) == PiecesOf(goal);
  const bool yagura = &goal == &kBlueprints[kYagura];
  int value = 0;
  if (complete) {
    value = yagura ? FromYagura(corners, kYaguraJudging) : Judging(goal);
  } else {
    value = yagura ? FromYagura(corners, kYaguraMaking) : Making(corners, goal);
  }
  return value / 2 * left / (kFullBoard - kFaded);
}

}  // namespace joseki::shogi
