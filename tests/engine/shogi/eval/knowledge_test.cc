#include "engine/shogi/eval/knowledge.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

#include "engine/search/shogi/bench.h"
#include "engine/shogi/eval/bonanza_terms.h"
#include "engine/shogi/eval/combinations.h"
#include "engine/shogi/eval/evaluator.h"
#include "engine/shogi/eval/formations.h"
#include "engine/shogi/eval/material.h"
#include "engine/shogi/eval/tacos_terms.h"
#include "engine/shogi/eval/yss_terms.h"
#include "gtest/gtest.h"
#include "tests/engine/shogi/eval/turned.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

TEST(Knowledge, EveryTermIsTheSameForBothColours) {
  for (const KnowledgeTerm& term : KnowledgeTerms()) {
    bool something = false;
    for (const char* text : BenchPositions()) {
      const Position position = At(text);
      const Position turned = At(Turned(text));
      for (const Color side : {kBlack, kWhite}) {
        something |= term.of(position, side) != 0;
        // Black needs a point more to declare.
        if (std::string(term.name) == "entering king") continue;
        EXPECT_EQ(term.of(position, side), term.of(turned, ~side)) << term.name << " " << text;
      }
    }
    EXPECT_TRUE(something) << term.name;
  }
}

TEST(Knowledge, IsAddedToTheEvaluationTermByTerm) {
  const Position position = At(BenchPositions()[5]);
  Evaluator evaluator;
  const Value plain = evaluator.Evaluate(position);
  // In the order of KnowledgeBit.
  constexpr EvaluationOptions kOfOneTerm[kKnowledgeBits] = {
      {.formation = 1},      {.formation = 2},       {.combination = 1},    {.combination = 2},
      {.hand_series = 1},    {.king_neighbours = 1}, {.pins = 1},           {.king_distance = 1},
      {.king_distance = 2},  {.entering_king = 1},   {.vanguard_pawns = 1}, {.lance_mobility = 1},
      {.attacked_kinds = 1}, {.bishop_pawns = 1},    {.king_region = 1},
  };
  int sum = 0;
  for (unsigned bit = 0; bit < kKnowledgeBits; ++bit) {
    const KnowledgeTerm& term = KnowledgeTerms()[bit];
    const int own = term.of(position, position.side_to_move());
    const int difference = own - term.of(position, ~position.side_to_move());
    evaluator.SetOptions(kOfOneTerm[bit]);
    EXPECT_EQ(evaluator.Evaluate(position), plain + difference) << term.name;
    // Only one of two forms of a term can be on.
    if (bit != kFormationByStrategy && bit != kKingDistanceObstructed) sum += difference;
  }
  evaluator.SetOptions({.formation = 1,
                        .combination = 3,
                        .hand_series = 1,
                        .king_neighbours = 1,
                        .pins = 1,
                        .king_distance = 1,
                        .entering_king = 1,
                        .vanguard_pawns = 1,
                        .lance_mobility = 1,
                        .attacked_kinds = 1,
                        .bishop_pawns = 1,
                        .king_region = 1});
  EXPECT_EQ(evaluator.Evaluate(position), plain + sum);
  for (const KnowledgeTerm& term : KnowledgeTerms()) {
    term.of(At("4k4/9/4P4/9/9/9/9/9/9 b 2R2G 1"), kBlack);  // without a king of its own
  }
}

// Black alone has moved.
constexpr char kStart[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
constexpr char kYagura[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP5/PPSG1PPPP/1KG2B1R1/LN5NL b S 1";
constexpr char kYaguraButForTheKing[] =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP5/PPSG1PPPP/2G2B1R1/LN1K3NL b S 1";
constexpr char kRanging[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B1R5/LNSGKGSNL b - 1";

TEST(Formations, TellStrategiesByTheRook) {
  EXPECT_EQ(StrategyOf(At(kStart), kBlack), Strategy::kStatic);
  EXPECT_EQ(StrategyOf(At(kRanging), kBlack), Strategy::kRanging);
  EXPECT_EQ(StrategyOf(At(kRanging), kWhite), Strategy::kStatic);
  EXPECT_EQ(StrategyOf(At("4k4/9/9/9/9/7R1/9/9/4K4 b - 1"), kBlack), Strategy::kFloating);
  EXPECT_EQ(StrategyOf(At("4k4/9/9/9/9/9/9/7K1/9 b 2R 1"), kBlack), Strategy::kRanging);
}

TEST(Formations, FindTheNearestBlueprintAndWhatItLeadsTo) {
  const RecognisedFormation yagura = FormationNearest(At(kYagura), kBlack);
  EXPECT_STREQ(yagura.name, "yagura");
  EXPECT_TRUE(yagura.complete());
  const RecognisedFormation nearly = FormationNearest(At(kYaguraButForTheKing), kBlack);
  EXPECT_STREQ(nearly.name, "yagura");
  EXPECT_EQ(nearly.in_place, nearly.pieces - 1);
  const RecognisedFormation crab = FormationNearest(At("4k4/9/9/9/9/9/9/2GSG4/3K5 b - 1"), kBlack);
  EXPECT_STREQ(crab.name, "crab");
  EXPECT_STREQ(crab.goal, "yagura");
}

TEST(Formations, AFinishedCastleIsWorthMoreThanOneThatIsMade) {
  EXPECT_GT(FormationOf(At(kYagura), kBlack), FormationOf(At(kYaguraButForTheKing), kBlack));
  EXPECT_GT(FormationOf(At(kYaguraButForTheKing), kBlack), FormationOf(At(kStart), kBlack));
  EXPECT_EQ(FormationOf(At("4k4/9/9/9/9/9/9/1K7/9 b - 1"), kBlack), 0) << "few pieces are left";
}

TEST(Formations, AFirstMoveGainsWhatItBringsOn) {
  const Position position = At(kYaguraButForTheKing);
  const Move to = ParseMove(position, "6i7i").value();
  const Move away = ParseMove(position, "6i5i").value();
  EXPECT_GT(FirstMoveGain(position, to), FirstMoveGain(position, away));
  const Position edge = At("lnsgkgsnl/1r5b1/1pppppppp/p8/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
  const Position quiet = At(kStart);
  EXPECT_EQ(FirstMoveGain(edge, ParseMove(edge, "9g9f").value()),
            FirstMoveGain(quiet, ParseMove(quiet, "9g9f").value()) + 40);
}

TEST(Formations, AFirstMoveThatOpensTheCastledKingLoses) {
  // The pawns before the king on 8h and beside it bring the castle on alike.
  const Position castled = At(kYagura);
  EXPECT_EQ(FirstMoveGain(castled, ParseMove(castled, "8g8f").value()),
            FirstMoveGain(castled, ParseMove(castled, "9g9f").value()) - 40);
}

// Black's castle is far from every blueprint; so is White's, whose rook tells the strategy.
TEST(Formations, AreProvisionalWhereNoBlueprintIsNear) {
  EXPECT_STREQ(ProvisionalCastle(Strategy::kStatic, Strategy::kStatic), "yagura");
  EXPECT_STREQ(ProvisionalCastle(Strategy::kStatic, Strategy::kRanging), "bear in the hole");
  EXPECT_STREQ(ProvisionalCastle(Strategy::kFloating, Strategy::kStatic), "central house");
  EXPECT_STREQ(ProvisionalCastle(Strategy::kRanging, Strategy::kStatic), "mino");
  constexpr char kAgainstStatic[] =
      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  constexpr char kAgainstRanging[] =
      "lnsgkgsnl/5r1b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  const auto gold_to_7h = [](const char* sfen, bool provisional) {
    const Position position = At(sfen);
    return FirstMoveGain(position, ParseMove(position, "6i7h").value(), provisional);
  };
  // One gold stands as in a left mino, which alone is no sign of it. Yagura wants a gold on 7h; a
  // bear in the hole does, too, but less.
  EXPECT_LT(gold_to_7h(kAgainstStatic, false), 0);
  EXPECT_GT(gold_to_7h(kAgainstStatic, true), gold_to_7h(kAgainstRanging, true));
  EXPECT_GT(gold_to_7h(kAgainstRanging, true), 0);
  EXPECT_EQ(gold_to_7h(kAgainstRanging, false), gold_to_7h(kAgainstStatic, false));
  EXPECT_EQ(FormationOf(At(kYagura), kBlack, true), FormationOf(At(kYagura), kBlack))
      << "a blueprint is near";
  Evaluator evaluator;
  const Position position = At(kAgainstRanging);
  const Move move = ParseMove(position, "5i6h").value();
  for (const int formation : {1, 2}) {
    evaluator.SetOptions({.formation = formation, .first_ply_bonus = 8});
    EXPECT_EQ(evaluator.FirstMoveBonus(position, move),
              FirstMoveGain(position, move, formation == 2));
  }
}

// White's pawn and rook look at the square before Black's bishop; a gold on 7h guards it.
TEST(Formations, AFirstMoveGuardsTheBishopsHead) {
  constexpr int kGuard = 40;
  constexpr char kDanger[] = "lnsgkgsnl/1r5b1/p1ppppppp/9/1p7/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  constexpr char kNoDanger[] = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  constexpr char kGuarded[] = "lnsgkgsnl/1r5b1/p1ppppppp/9/1p7/9/PPPPPPPPP/1BG4R1/LNS1KGSNL b - 1";
  constexpr char kCalm[] = "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/9/PPPPPPPPP/1BG4R1/LNS1KGSNL b - 1";
  const auto gain = [](const char* sfen, const char* move) {
    const Position position = At(sfen);
    return FirstMoveGain(position, ParseMove(position, move).value());
  };
  EXPECT_EQ(gain(kDanger, "6i7h"), gain(kNoDanger, "6i7h") + kGuard);
  EXPECT_EQ(gain(kDanger, "4i5h"), gain(kNoDanger, "4i5h")) << "it guards nothing there";
  EXPECT_EQ(gain(kGuarded, "7h6h"), gain(kCalm, "7h6h") - kGuard) << "it leaves";
  EXPECT_EQ(gain(kGuarded, "3i4h"), gain(kCalm, "3i4h")) << "it stays";
}

TEST(Combinations, CountOnBothSidesOfTheBoard) {
  constexpr int kLoose = -40;
  // King 2h, silver 2g, golds 4g and 4i, and in the mirror.
  const int right = CombinationsByHand(At("4k4/9/9/9/9/9/5G1S1/7K1/5G3 b - 1"), kBlack);
  EXPECT_EQ(right, kLoose);
  EXPECT_EQ(CombinationsByHand(At("4k4/9/9/9/9/9/1S1G5/1K7/3G5 b - 1"), kBlack), right);
  EXPECT_EQ(CombinationsByHand(At("4k4/9/9/9/9/9/5G1S1/7K1/9 b - 1"), kBlack), 0);
}

// The pair of pawn 8g and knight 8i adds 6; no other pair has a king on 4h or 6h.
TEST(Combinations, MinedOnesCountInTheFrameThatTheyWereMinedIn) {
  constexpr int kPair = 6;
  auto mined = [](const char* sfen) { return MinedCombinations(At(sfen), kBlack); };
  EXPECT_EQ(mined("4k4/9/9/9/9/9/1P7/5K3/1N7 b - 1"), kPair);
  EXPECT_EQ(mined("4k4/9/9/9/9/9/7P1/5K3/7N1 b - 1"), 0) << "as it would be in the mirror";
  EXPECT_EQ(mined("4k4/9/9/9/9/9/7P1/3K5/7N1 b - 1"), kPair) << "the king has gone there";
  EXPECT_EQ(mined("4k4/9/9/9/9/9/1P7/3K5/1N7 b - 1"), 0);
  EXPECT_EQ(mined("4k4/9/9/9/9/9/1P5P1/5K3/1N5N1 b - 1"), kPair) << "once";
  EXPECT_EQ(MinedCombinations(At("1n7/3k5/1p7/9/9/9/9/9/4K4 b - 1"), kWhite), 0);
  EXPECT_EQ(MinedCombinations(At("7n1/3k5/7p1/9/9/9/9/9/4K4 b - 1"), kWhite), kPair);
}

// H. Yamashita's examples.
TEST(YssTerms, RatesAreThoseOfTheTables) {
  EXPECT_EQ(RateToEnemyKing(3, 2), 114);
  EXPECT_EQ(RateToEnemyKing(5, 0), 75);
  EXPECT_EQ(RateToEnemyKing(0, 8), 50);
  EXPECT_EQ(RateToOwnKing(0, 0), 142);
  EXPECT_EQ(RateToOwnKing(8, -8), 50);
}

TEST(YssTerms, MoreOfAKindAddLess) {
  auto series = [](const std::string& hand) {
    return HandSeries(At("4k4/9/9/9/9/9/9/9/4K4 b " + hand + " 1"), kBlack);
  };
  // 90, 40 and 10 in place of 50 each.
  EXPECT_EQ(series("G"), 40);
  EXPECT_EQ(series("2G"), 30);
  EXPECT_EQ(series("3G"), -10);
}

TEST(YssTerms, AttackedNeighboursWallsAndPinsCost) {
  const Position safe = At("4k4/9/9/9/9/9/9/4G4/4K4 b - 1");
  const Position pinned = At("4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1");
  EXPECT_EQ(KingNeighbours(safe, kBlack), 0);
  EXPECT_LT(KingNeighbours(pinned, kBlack), 0);
  EXPECT_EQ(Pins(safe, kBlack), 0);
  EXPECT_LT(Pins(pinned, kBlack), 0);
  const Position walled = At("4k4/9/9/9/9/9/9/7G1/6K2 b - 1");
  EXPECT_EQ(KingNeighbours(walled, kBlack), 0) << "beside it, not above";
  EXPECT_LT(KingNeighbours(At("4k4/9/9/9/9/9/9/9/6KG1 b - 1"), kBlack), 0);
}

TEST(YssTerms, ARookInTheCampCountsByWhatStandsInItsWay) {
  const auto of = [](const char* sfen, bool obstructed) {
    return KingDistance(At(sfen), kBlack, obstructed);
  };
  // The dragon on 9a, the other king on 6a; nothing else of Black's but its king counts.
  constexpr char kFree[] = "+R2k5/9/9/9/9/9/9/9/4K4 w - 1";
  const int free = of(kFree, false);
  ASSERT_GT(free, 0);
  EXPECT_EQ(of(kFree, true), free);
  EXPECT_EQ(of("+R1gk5/9/9/9/9/9/9/9/4K4 w - 1", true), free / 2);
  EXPECT_EQ(of("+Rngk5/9/9/9/9/9/9/9/4K4 w - 1", true), free / 3);
  EXPECT_EQ(of("+R1pk5/9/9/9/9/9/9/9/4K4 w - 1", true), free / 4) << "an anchor pawn";
  EXPECT_EQ(of("+R1pk5/9/9/9/9/9/9/9/4K4 w - 1", false), free);
  // On the second rank a pawn is an obstacle like others.
  EXPECT_EQ(of("9/+R1pk5/9/9/9/9/9/9/4K4 w - 1", true),
            of("9/+R2k5/9/9/9/9/9/9/4K4 w - 1", true) / 2);
}

TEST(TacosTerms, LancesCountTheSquaresThatTheyCanGoTo) {
  const auto of = [](const char* sfen) { return LanceMobility(At(sfen), kBlack); };
  EXPECT_EQ(of(kStart), 2 * 4) << "one square each, to the own pawn";
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/9/L3K4 b - 1"), 8 * 4);
  EXPECT_EQ(of("4k4/9/9/p8/9/9/9/9/L3K4 b - 1"), 5 * 4) << "the last by a capture";
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/9/+L3K4 b - 1"), 0) << "it is a lance no longer";
}

TEST(BonanzaTerms, AttackedPiecesCountByTheirValue) {
  const auto of = [](const char* sfen) { return AttackedKinds(At(sfen), kBlack); };
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/9/R3K4 b - 1"), 0);
  EXPECT_EQ(of("4k4/9/9/g8/9/9/9/9/R3K4 b - 1"), kPieceValue[kGold] / 40);
  EXPECT_EQ(of("4k4/9/9/g8/9/9/P8/9/R3K4 b - 1"), 0) << "behind a pawn";
  EXPECT_EQ(of("4k4/9/9/g8/9/9/9/9/S3K4 b - 1"), 0) << "a silver has no such weight";
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/9/4R4 w - 1"), 0) << "a king is no gain";
  EXPECT_EQ(of("4k4/9/9/9/3g1s3/9/4N4/9/4K4 b - 1"),
            (kPieceValue[kGold] + kPieceValue[kSilver]) / 40);
}

TEST(BonanzaTerms, PawnsOnTheBishopsSquaresCost) {
  const auto of = [](const char* sfen) { return BishopPawns(At(sfen), kBlack); };
  EXPECT_EQ(of(kStart), -4 * 5) << "those of the odd files";
  EXPECT_EQ(of("4k4/9/9/9/9/9/P1P6/1B7/4K4 b - 1"), -4 * 2);
  EXPECT_EQ(of("4k4/9/9/9/9/9/1P1P5/1B7/4K4 b - 1"), 0);
  EXPECT_EQ(of("4k4/9/9/9/9/9/P1P6/9/4K4 b - 1"), 0) << "without a bishop";
}

TEST(BonanzaTerms, AttacksOnTwentyFiveSquaresCostByTheirExcess) {
  const auto of = [](const char* sfen) { return KingRegion(At(sfen), kBlack); };
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/9/4K4 b - 1"), 0);
  // A pawn on 5f attacks 5g, two squares off; on 5g it attacks 5h, beside the king.
  EXPECT_EQ(of("4k4/9/9/9/9/4p4/9/9/4K4 b - 1"), -3);
  EXPECT_EQ(of("4k4/9/9/9/9/9/4p4/9/4K4 b - 1"), -8);
  EXPECT_EQ(of("4k4/9/9/9/9/9/4p4/9/3GK4 b - 1"), 0) << "the gold guards 5h";
  EXPECT_EQ(of("4k4/9/9/9/4p4/9/9/9/4K4 b - 1"), 0) << "three squares off";
}

TEST(YssTerms, PawnsAheadCountByWhatStandsAgainstThem) {
  const auto of = [](const char* sfen) { return VanguardPawns(At(sfen), kBlack); };
  EXPECT_EQ(of(kStart), 0);
  // On 5e: against a pawn on 5c; against none; and with a silver on 5f behind it.
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/ppppppppp/9/4P4/9/PPPP1PPPP/1B5R1/LNSGKGSNL b - 1"), 1);
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/pppp1pppp/9/4P4/9/PPPP1PPPP/1B5R1/LNSGKGSNL b p 1"), 2);
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/pppp1pppp/9/4P4/4S4/PPPP1PPPP/1B5R1/LN1GKGSNL b p 1"), 15);
  // On 5d: nothing looks at 5c; a silver on 6b does; and with a silver on 5e.
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/pppp1pppp/4P4/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b p 1"), 100);
  EXPECT_EQ(of("ln1gkgsnl/1r1s3b1/pppp1pppp/4P4/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b p 1"), 40);
  EXPECT_EQ(of("ln1gkgsnl/1r1sp2b1/pppp1pppp/4P4/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b - 1"), 20);
  EXPECT_EQ(of("ln1gkgsnl/1r1s3b1/pppp1pppp/4P4/4S4/9/PPPP1PPPP/1B5R1/LN1GKGSNL b p 1"), 50);
}

TEST(YssTerms, OpenFilesCountForTheRookAndAgainstTheKing) {
  const auto of = [](const char* sfen) { return VanguardPawns(At(sfen), kBlack); };
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPP1P/1B5R1/LNSGKGSNL b P 1"), 35);
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/ppppppp1p/9/9/9/PPPPPPP1P/1B5R1/LNSGKGSNL b Pp 1"), 65);
  EXPECT_EQ(of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b P 1"), -15);
  EXPECT_EQ(of("4k4/9/9/9/9/9/9/7R1/4K4 b - 1"), 0) << "no opening";
}

TEST(YssTerms, AKingThatEntersIsWorthMoreTheNearerItIsToDeclare) {
  const int home = EnteringKing(At("4k4/9/9/9/9/9/9/9/8K b 2R2B4G4S 1"), kBlack);
  const int entered = EnteringKing(At("4k4/9/8K/9/9/9/9/9/9 b 2R2B4G4S 1"), kBlack);
  const int with_pieces = EnteringKing(At("4k4/9/GGGGPPPPK/9/9/9/9/9/9 b 2R2B4S 1"), kBlack);
  EXPECT_EQ(home, 0);
  EXPECT_GT(entered, home);
  EXPECT_GT(with_pieces, entered);
}

}  // namespace
}  // namespace joseki::shogi
