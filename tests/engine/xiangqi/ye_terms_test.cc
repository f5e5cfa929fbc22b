#include "engine/xiangqi/eval/ye_terms.h"

#include <initializer_list>
#include <string>

#include "engine/search/xiangqi/engine_options.h"
#include "engine/xiangqi/eval/evaluator.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/symmetry.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

constexpr char kStart[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

Position After(const char* fen, std::initializer_list<const char*> moves) {
  Position position = At(fen);
  for (const char* move : moves) {
    Undo undo;
    position.Do(*ParseMove(position, move), undo);
  }
  return position;
}

Value Malus(const Position& position, const char* move) {
  return FirstMoveMalus(position, *ParseMove(position, move));
}

TEST(YeTerms, PiecesOffTheirStartingPointsCountInTheOpening) {
  EXPECT_EQ(Development(At(kStart), kRed), 0);
  const Position out = After(kStart, {"b0c2", "a9a8", "h2e2", "c6c5"});
  EXPECT_EQ(Development(out, kRed), 2 * 6) << "a knight and a cannon";
  EXPECT_EQ(Development(out, kBlack), 6) << "a rook; a pawn does not count";
  // Black has lost both rooks.
  EXPECT_EQ(Development(
                At("1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w - - 0 1"), kRed),
            0);
}

TEST(YeTerms, AnUnstoppablePawnCounts) {
  const auto of = [](const char* fen) { return PassedPawns(At(fen), kRed); };
  EXPECT_EQ(of("3k5/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1"), 30) << "the king beside its way is none";
  EXPECT_EQ(of("3k5/9/9/9/9/4P4/9/9/9/4K4 w - - 0 1"), 0) << "it has not crossed";
  EXPECT_EQ(of("3k5/4a4/9/9/4P4/9/9/9/9/4K4 w - - 0 1"), 0) << "an adviser stands ahead";
  EXPECT_EQ(of("3k5/9/5n3/9/4P4/9/9/9/9/4K4 w - - 0 1"), 0) << "a knight, beside the file";
  EXPECT_EQ(of("3k5/9/6n2/9/4P4/9/9/9/9/4K4 w - - 0 1"), 30) << "two files off";
  EXPECT_EQ(of("3k5/9/9/9/4P4/4p4/9/9/9/4K4 w - - 0 1"), 30) << "a pawn behind it";
}

TEST(YeTerms, AreSymmetric) {
  for (const Position& position : SamplePositions(7, 40, 3)) {
    const Position turned = Mapped(Symmetry::kTurn, position);
    const Position mirrored = Mapped(Symmetry::kMirror, position);
    for (const Color side : {kRed, kBlack}) {
      EXPECT_EQ(Development(position, side), Development(turned, ~side));
      EXPECT_EQ(Development(position, side), Development(mirrored, side));
      EXPECT_EQ(PassedPawns(position, side), PassedPawns(turned, ~side));
      EXPECT_EQ(PassedPawns(position, side), PassedPawns(mirrored, side));
    }
  }
}

TEST(YeTerms, MovingAPieceTwiceInTheOpeningCosts) {
  const Position moved = After(kStart, {"b0c2", "b9c7"});
  EXPECT_EQ(Malus(moved, "c2b0"), -30);
  EXPECT_EQ(Malus(moved, "h0g2"), 0);
  EXPECT_EQ(Malus(At(kStart), "b0c2"), 0) << "there was no move before";
}

TEST(YeTerms, ACannonThatTakesAPawnWithoutCheckCosts) {
  const Position screened = After(kStart, {"h2e2", "c9e7", "b0c2", "a9a8"});
  EXPECT_EQ(Malus(screened, "e2e6"), 0) << "check, over the elephant";
  const Position bare = After(kStart, {"h2e2", "b9c7", "b0c2", "a9a8"});
  EXPECT_EQ(Malus(bare, "e2e6"), -30) << "nothing stands between";
  // From g2 over the own pawn on g3.
  const Position wing = After(kStart, {"h2g2", "b9c7", "b0c2", "a9a8"});
  EXPECT_EQ(Malus(wing, "g2g6"), -30);
  EXPECT_EQ(Malus(After(kStart, {"h0i2", "b9c7"}), "h2h9"), 0) << "a knight is no pawn";
}

TEST(YeTerms, AKingThatLeavesACannonsLineCosts) {
  // Black's cannon on e5 looks at Red's king on e0; of the attacking pieces enough are left.
  constexpr char kFaced[] = "rnb1k1bnr/9/9/9/4c4/9/9/9/9/RNB1K1BNR w - - 0 1";
  EXPECT_EQ(Malus(At(kFaced), "e0d0"), -40);
  EXPECT_EQ(Malus(At(kFaced), "e0e1"), 0) << "it stays on the line";
  EXPECT_EQ(Malus(At("rnb1k1bnr/9/9/9/4c4/9/4P4/9/9/RNB1K1BNR w - - 0 1"), "e0d0"), 0)
      << "a pawn stands between";
  EXPECT_EQ(Malus(At("3k5/9/9/9/4c4/9/9/9/9/4K4 w - - 0 1"), "e0f0"), 0) << "few pieces are left";
}

TEST(YeTerms, OptionsSwitchThemOn) {
  const Position position = After(kStart, {"b0c2", "b9a7", "h2e2", "c6c5"});
  Evaluator evaluator;
  const Value plain = evaluator.Evaluate(position);
  evaluator.SetOptions({.development = 1});
  EXPECT_EQ(evaluator.Evaluate(position),
            plain + Development(position, kRed) - Development(position, kBlack));
  const Position ending = At("3k5/9/9/9/4P4/9/9/9/9/R3K4 w - - 0 1");
  evaluator.SetOptions({});
  const Value before = evaluator.Evaluate(ending);
  evaluator.SetOptions({.passed_pawns = 1});
  EXPECT_EQ(evaluator.Evaluate(ending), before + 30);
}

// The move that the search prefers loses so much by the rule that another one is played.
TEST(YeTerms, ARuleActsAtTheRoot) {
  const Position position = After(kStart, {"b0c2", "b9c7"});
  Search<Xiangqi> search(size_t{1} << 20);
  SearchLimits limits;
  limits.depth = 1;
  const auto value = [&](int rules) {
    EngineOptions options;
    EXPECT_TRUE(options.Set("OpeningRules", std::to_string(rules)).ok());
    options.ApplyTo(search);
    search.NewGame();
    // One move alone, of the piece that has just moved.
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    std::vector<Move> others;
    for (const Move move : moves) {
      if (move != *ParseMove(position, "c2b0")) others.push_back(move);
    }
    limits.excluded = others;
    return search.Run(position, limits).value;
  };
  EXPECT_EQ(value(1), value(0) - 30);
}

}  // namespace
}  // namespace joseki::xiangqi
