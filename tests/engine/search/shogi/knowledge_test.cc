// Tests shogi's knowledge of moves and positions for single techniques of the search.
#include "engine/search/shogi/knowledge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/rng.h"
#include "engine/search/depth.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/game.h"
#include "engine/search/shogi/transitions.h"
#include "engine/shogi/eval/evaluator.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

Move MoveIn(const Position& position, const char* move) { return *ParseMove(position, move); }

TEST(KingPressure, CountsAttackedSquaresBesideTheOtherKing) {
  // Beside 5a lie 6a, 4a, 6b, 5b and 4b.
  EXPECT_EQ(KingPressure(At("4k4/9/9/9/9/9/9/9/4R3K w - 1"), kBlack), 1) << "5b";
  EXPECT_EQ(KingPressure(At("4k4/9/4G4/9/9/9/9/9/4R3K b - 1"), kBlack), 3) << "6b, 5b, 4b once";
  EXPECT_EQ(KingPressure(At("4k4/R8/9/9/9/9/9/9/8K b - 1"), kBlack), 3) << "along the rank";
  EXPECT_EQ(KingPressure(At("4k4/R8/9/9/9/9/9/9/8K b - 1"), kWhite), 0);
  EXPECT_EQ(KingPressure(At("4k4/R2p5/9/9/9/9/9/9/8K b - 1"), kBlack), 1) << "6b, no further";
  EXPECT_EQ(KingPressure(At("8k/9/9/9/9/9/9/9/r3K4 b - 1"), kWhite), 1) << "6i, the king behind it";
}

TEST(EscapesAttack, IsAMajorPieceThatLeavesAnAttack) {
  // A pawn on 2g attacks the rook on 2h; a lance on 4a looks down to 4h.
  const Position attacked = At("k4l3/9/9/9/9/9/7p1/7R1/K8 b G 1");
  EXPECT_TRUE(EscapesAttack(attacked, MoveIn(attacked, "2h3h"), Move()));
  EXPECT_FALSE(EscapesAttack(attacked, MoveIn(attacked, "2h4h"), Move())) << "from bad to worse";
  EXPECT_FALSE(EscapesAttack(attacked, MoveIn(attacked, "9i8i"), Move()));
  EXPECT_FALSE(EscapesAttack(attacked, MoveIn(attacked, "G*3h"), Move()));
  const Position guarded = At("k4l3/9/9/9/9/9/7p1/7R1/K4G3 b - 1");
  EXPECT_TRUE(EscapesAttack(guarded, MoveIn(guarded, "2h4h"), Move())) << "a gold guards 4h";
  const Position calm = At("k4l3/9/9/9/9/9/9/7R1/K8 b - 1");
  EXPECT_FALSE(EscapesAttack(calm, MoveIn(calm, "2h3h"), Move()));
  const Position minor = At("k8/9/9/9/9/9/7p1/7S1/K8 b - 1");
  EXPECT_FALSE(EscapesAttack(minor, MoveIn(minor, "2h1g"), Move()));
}

TEST(EscapesAttack, AsksWhoMovedLastWhereItIsTold) {
  const Position attacked = At("k4l3/9/9/9/9/9/7p1/7R1/K8 b - 1");
  const Move flight = MoveIn(attacked, "2h3h");
  EXPECT_TRUE(EscapesAttack(attacked, flight, Move::Board(MakeSquare(2, 6), MakeSquare(2, 7))));
  EXPECT_FALSE(EscapesAttack(attacked, flight, Move::Board(MakeSquare(9, 2), MakeSquare(9, 1))));
}

TEST(Meets, IsToGoAwayToGuardOrToStandBetween) {
  const Position position = At("k3r4/9/9/9/4S4/9/9/9/K8 b GP 1");
  const Move threat = Move::Board(MakeSquare(5, 1), MakeSquare(5, 5));
  const auto meets = [&](const char* move) {
    return Meets(position, MoveIn(position, move), threat);
  };
  EXPECT_TRUE(meets("5e4d")) << "it goes away";
  EXPECT_TRUE(meets("G*5f")) << "it guards";
  EXPECT_TRUE(meets("P*5f"));
  EXPECT_TRUE(meets("P*5c")) << "it stands between";
  EXPECT_FALSE(meets("P*5g"));
  EXPECT_FALSE(meets("G*1e"));
  EXPECT_FALSE(meets("P*4c")) << "beside the line";
  EXPECT_FALSE(meets("9i8i"));
}

TEST(Meets, OfADropIsToTakeItsSquareOrToAttackIt) {
  const Position position = At("k8/9/9/9/9/9/9/9/K8 b GPs 1");
  const Move threat = Move::Drop(kSilver, MakeSquare(3, 3));
  EXPECT_TRUE(Meets(position, MoveIn(position, "P*3c"), threat));
  EXPECT_TRUE(Meets(position, MoveIn(position, "G*3d"), threat));
  EXPECT_FALSE(Meets(position, MoveIn(position, "P*3f"), threat));
}

Defence DefenceBy(const Position& position, const char* move, Move threat) {
  return DefenceOf(position, MoveIn(position, move), threat);
}

// A rook on 4a attacks a silver on 4e; our bishop stands on 8e.
TEST(Defence, IsOfSixKinds) {
  const Position position = At("k4r3/9/9/9/1B3S3/9/9/9/K8 b GP 1");
  const Move threat = Move::Board(MakeSquare(4, 1), MakeSquare(4, 5));
  EXPECT_EQ(DefenceBy(position, "8e4a+", threat), Defence::kTakes);
  EXPECT_EQ(DefenceBy(position, "4e3d", threat), Defence::kFlees);
  EXPECT_EQ(DefenceBy(position, "G*4f", threat), Defence::kGuards);
  EXPECT_EQ(DefenceBy(position, "P*4c", threat), Defence::kBlocks);
  EXPECT_EQ(DefenceBy(position, "P*3c", threat), Defence::kNone);
  const Move drop = Move::Drop(kSilver, MakeSquare(3, 3));
  EXPECT_EQ(DefenceBy(position, "P*3c", drop), Defence::kOccupies);
}

// A bishop that comes to 3e would attack the gold on 7i, through 6h, 5g and 4f.
TEST(Defence, StandsWhereASliderIsAboutToAttackThrough) {
  const Position position = At("k8/9/9/9/9/9/9/9/K1G6 b Pb 1");
  const Move threat = Move::Drop(kBishop, MakeSquare(3, 5));
  for (const char* move : {"P*6h", "P*5g", "P*4f"}) {
    EXPECT_EQ(DefenceBy(position, move, threat), Defence::kForestalls) << move;
  }
  EXPECT_EQ(DefenceBy(position, "P*2d", threat), Defence::kNone) << "on the line, behind it";
  EXPECT_EQ(DefenceBy(position, "P*5h", threat), Defence::kNone);
  // A silver that steps off the file lets the rook behind it see the gold.
  const Position battery = At("k1r6/9/2s6/9/9/9/9/9/K1G6 b P 1");
  const Move step = Move::Board(MakeSquare(7, 3), MakeSquare(6, 4));
  EXPECT_EQ(DefenceBy(battery, "P*7f", step), Defence::kForestalls);
  EXPECT_EQ(DefenceBy(battery, "P*8f", step), Defence::kNone);
  // A pawn that promotes to a gold is no slider.
  const Position pawn = At("k8/9/9/9/9/9/2p6/9/K1G6 b P 1");
  EXPECT_EQ(DefenceBy(pawn, "P*5h", Move::Board(MakeSquare(7, 7), MakeSquare(7, 8), true)),
            Defence::kNone);
}

// Over all moves of positions that random lines lead to, how much more than by material and the
// king-piece term the learned evaluation rises: percentiles.
struct Swings {
  std::vector<Value> king;
  std::vector<Value> other;

  static Value Percentile(std::vector<Value>& values, double part) {
    const auto at =
        values.begin() + static_cast<ptrdiff_t>(part * static_cast<double>(values.size()));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }
};
Swings MeasureSwings() {
  Swings swings;
  Evaluator evaluator;
  Rng rng(1);
  for (const char* text : BenchPositions()) {
    Position position = At(text);
    for (int ply = 0; ply < 12; ++ply) {
      MoveList moves;
      position.Generate<GenType::kSearch>(moves);
      if (moves.empty()) break;
      const Value before = evaluator.Evaluate(position);
      for (const Move move : moves) {
        Undo undo;
        const bool king = Shogi::IsKingMove(position, move);
        const Value known =
            Shogi::GainOf(position, move) + (king ? 0 : KingPieceGain(position, move));
        position.Do(move, undo);
        (king ? swings.king : swings.other)
            .push_back(-evaluator.Evaluate(position) - before - known);
        position.TakeBack(move, undo);
      }
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Next() % static_cast<uint64_t>(moves.size()))], undo);
    }
  }
  return swings;
}

TEST(SwingAtMost, IsTheNinetyNinthPercentile) {
  Swings swings = MeasureSwings();
  const Position start;
  const Value king = SwingAtMost(start, MoveIn(start, "5i5h"));
  const Move pawn = MoveIn(start, "7g7f");
  const Value other = SwingAtMost(start, pawn) - KingPieceGain(start, pawn);
  EXPECT_NEAR(king, Swings::Percentile(swings.king, 0.99), 10) << swings.king.size();
  EXPECT_NEAR(other, Swings::Percentile(swings.other, 0.99), 10) << swings.other.size();
}

// Towards the king a gold presses it more and its own is guarded less; both count, and so does what
// it takes.
TEST(KingPieceGain, IsWhatTheMoveChangesOfPlacesPressAndGuard) {
  const Position position = At("4k4/9/9/9/4pG3/9/9/9/4K4 b P 1");
  for (const char* move : {"4e4d", "4e5e", "P*5d"}) {
    Position after = position;
    Undo undo;
    const Move played = MoveIn(position, move);
    after.Do(played, undo);
    const auto total = [](const PlainSums& sums) { return sums.placed + sums.press + sums.guard; };
    const auto before_sums = CollectPlain(position);
    const auto sums = CollectPlain(after);
    const int board =
        total(sums[0]) - total(sums[1]) - total(before_sums[0]) + total(before_sums[1]);
    const int material = played.is_drop()                          ? 115 + 2
                         : position.piece(played.to()) != kNoPiece ? 100
                                                                   : 0;
    EXPECT_EQ(KingPieceGain(position, played), board - material) << move;
  }
  EXPECT_GT(KingPieceGain(position, MoveIn(position, "4e4d")), 0);
  EXPECT_EQ(KingPieceGain(position, MoveIn(position, "5i4i")), 0);
}

// Numbers of the purposes and of the kinds of piece, as engine/search/shogi/transitions.h counts
// them.
int PurposeIn(const char* sfen, const char* move, int kind, Move last = Move()) {
  const Position position = At(sfen);
  const int category = CategoryOf(position, MoveIn(position, move), last);
  EXPECT_EQ(category % kPieceClasses, kind) << sfen << " " << move;
  return category / kPieceClasses;
}

TEST(CategoryOf, IsAPurposeAndAKindOfPiece) {
  enum { kPawnKind, kLanceKnight, kSilverGold, kMajor, kKingKind };
  EXPECT_EQ(PurposeIn("4k4/9/9/9/4r4/9/9/9/4K4 b - 1", "5i4i", kKingKind), 0) << "evasion";
  constexpr char kCaptures[] = "8k/4b4/9/6g2/4R1p2/9/9/9/4K4 b - 1";
  const Move last = Move::Board(MakeSquare(4, 1), MakeSquare(5, 2));
  EXPECT_EQ(PurposeIn(kCaptures, "5e5b+", kMajor, last), 1) << "takes what has moved";
  EXPECT_EQ(PurposeIn(kCaptures, "5e5b+", kMajor), 2);
  EXPECT_EQ(PurposeIn(kCaptures, "5e3e", kMajor), 3) << "a pawn for a rook";
  EXPECT_EQ(PurposeIn("4k4/9/2P6/9/9/9/9/9/K8 b - 1", "7c7b+", kPawnKind), 4);
  EXPECT_EQ(PurposeIn("2k6/9/2P6/9/9/9/9/9/K8 b - 1", "7c7b+", kPawnKind), 5) << "the king takes";
  EXPECT_EQ(PurposeIn("4k4/9/9/9/9/9/9/9/K8 b R 1", "R*5i", kMajor), 6);
  EXPECT_EQ(PurposeIn("4k4/9/9/9/9/9/9/9/K8 b R 1", "R*5b", kMajor), 7);
  EXPECT_EQ(PurposeIn("4k4/9/9/9/4p4/4S4/9/9/K8 b - 1", "5f6e", kSilverGold), 8) << "flight";
  EXPECT_EQ(PurposeIn("4k4/9/9/9/9/9/9/9/K8 b G 1", "G*4c", kSilverGold), 9);
  EXPECT_EQ(PurposeIn("4k4/9/9/9/9/9/9/9/K8 b P 1", "P*7h", kPawnKind), 10);
  EXPECT_EQ(PurposeIn("4k4/9/2s6/9/9/9/9/9/K8 b N 1", "N*7d", kLanceKnight), 11) << "given away";
  EXPECT_EQ(PurposeIn("4k4/9/9/4G4/9/9/9/9/K8 b - 1", "5d5c", kSilverGold), 12);
  EXPECT_EQ(PurposeIn("4k4/9/9/9/9/2P6/9/9/K8 b - 1", "7f7e", kPawnKind), 13);
}

// Tp = Np / Ne as -log2, twelve parts of a ply a bit, a sixteenth chance taken for granted.
TEST(TransitionCost, IsThatOfTheCounts) {
  for (int stage = 0; stage < kStages; ++stage) {
    for (int category = 0; category < kMoveCategories; ++category) {
      const TransitionCount& count =
          kTransitions[static_cast<size_t>(stage)][static_cast<size_t>(category)];
      const double bits = std::log2((count.possible + 16.0) / (count.played + 1.0));
      const double parts = std::clamp(12 * bits, kPly / 4.0, 4.0 * kPly);
      EXPECT_NEAR(TransitionCost(stage, category), parts, 3) << stage << " " << category;
    }
  }
  // In the opening masters push a pawn in a third of the positions, and never throw a rook away.
  EXPECT_LT(TransitionCost(0, 13 * kPieceClasses), kPly);
  EXPECT_EQ(TransitionCost(0, 11 * kPieceClasses + 3), 4 * kPly) << "none of 2,770";
}

}  // namespace
}  // namespace joseki::shogi
