#include "engine/xiangqi/repetition.h"

#include "engine/xiangqi/chase.h"
#include "gtest/gtest.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

// The verdict of `rule` at the third occurrence: after `cycle` was played twice from `fen`.
HistoryVerdict AfterTwo(const std::string& fen, const std::string& cycle,
                        RepetitionRule rule = RepetitionRule::kAsian) {
  Position position = At(fen);
  Play(position, cycle);
  EXPECT_EQ(JudgeRepetition(position, rule, 3), HistoryVerdict{}) << "the second occurrence";
  Play(position, cycle);
  EXPECT_EQ(position.key(), At(fen).key()) << "no cycle";
  return JudgeRepetition(position, rule, 3);
}

constexpr HistoryVerdict kDrawn{Repetition::kDraw, Termination::kRepetition};
constexpr HistoryVerdict kCheckerToMove{Repetition::kLoss, Termination::kPerpetualCheck};
constexpr HistoryVerdict kChaserToMove{Repetition::kLoss, Termination::kPerpetualChase};

constexpr char kShuffle[] = "h0g2 h9g7 g2h0 g7h9";

TEST(XiangqiRepetition, TheThirdOccurrenceIsADraw) {
  for (const RepetitionRule rule :
       {RepetitionRule::kDraw, RepetitionRule::kAsian, RepetitionRule::kCheck}) {
    EXPECT_EQ(AfterTwo(kStartFen, kShuffle, rule), kDrawn);
  }
}

TEST(XiangqiRepetition, TheSearchStopsAtTheSecondOccurrence) {
  Position position;
  Play(position, "h0g2 h9g7 g2h0");
  EXPECT_EQ(CheckRepetition(position, RepetitionRule::kAsian), Repetition::kNone);
  Play(position, "g7h9");
  EXPECT_EQ(CheckRepetition(position, RepetitionRule::kAsian), Repetition::kDraw);
}

TEST(XiangqiRepetition, NoOccurrenceCountsBeforeACaptureOrAPass) {
  Position position;
  Play(position, kShuffle);
  Play(position, "h2h9");
  EXPECT_EQ(JudgeRepetition(position, RepetitionRule::kDraw, 2), HistoryVerdict{});
  // Two passes lead to the same placement and side, but were no moves.
  Position passing;
  Undo undo;
  passing.DoNull(undo);
  passing.DoNull(undo);
  EXPECT_EQ(passing.key(), Position().key());
  EXPECT_EQ(JudgeRepetition(passing, RepetitionRule::kDraw, 2), HistoryVerdict{});
}

TEST(XiangqiRepetition, ATakenBackMoveLeavesNoTrace) {
  Position position;
  Play(position, kShuffle);
  Undo undo;
  const Move move = *MoveFromUcci("h2e2");
  position.Do(move, undo);
  position.TakeBack(move, undo);
  EXPECT_EQ(CheckRepetition(position, RepetitionRule::kAsian), Repetition::kDraw);
  EXPECT_EQ(position.plies(), 4);
}

constexpr char kRookAndKing[] = "3k5/R8/9/9/9/9/9/9/9/5K3 w";

TEST(XiangqiRepetition, PerpetualCheckLosesForTheChecker) {
  constexpr char kCycle[] = "a8a9 d9d8 a9a8 d8d9";
  EXPECT_EQ(AfterTwo(kRookAndKing, kCycle), kCheckerToMove);
  EXPECT_EQ(AfterTwo(kRookAndKing, kCycle, RepetitionRule::kCheck), kCheckerToMove);
  EXPECT_EQ(AfterTwo(kRookAndKing, kCycle, RepetitionRule::kDraw), kDrawn);
  // One ply later the other side is to move, and has won.
  Position position = At(kRookAndKing);
  Play(position, "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9");
  EXPECT_EQ(JudgeRepetition(position, RepetitionRule::kAsian, 3),
            (HistoryVerdict{Repetition::kWin, Termination::kPerpetualCheck}));
}

TEST(XiangqiRepetition, OneQuietMoveInTheCycleMakesItADraw) {
  EXPECT_EQ(AfterTwo(kRookAndKing, "a8a9 d9d8 a9c9 d8d7 c9a9 d7d8 a9a8 d8d9"), kDrawn);
}

// Every move gives check: the knight steps aside and uncovers its cannon, the rook answers the
// check and gives one.
TEST(XiangqiRepetition, PerpetualChecksByBothSidesAreADraw) {
  const std::string fen = "9/3rk4/4c4/8R/4N4/9/9/3K5/n8/4C4 w";
  const std::string cycle = "e5d3 e7d7 d3e5 d7e7";
  Position position = At(fen);
  Play(position, cycle);
  for (const Ply& ply : position.history()) EXPECT_TRUE(ply.checks);
  EXPECT_EQ(AfterTwo(fen, cycle), kDrawn);
  EXPECT_EQ(AfterTwo(fen, cycle, RepetitionRule::kCheck), kDrawn);
}

// A rook follows a cannon from file to file.
constexpr char kRookChase[] = "c3b3 b6c6 b3c3 c6b6";

TEST(XiangqiChase, ThreatsDependOnProtectionAndPins) {
  auto threatens = [](const std::string& fen, const std::string& taking) {
    const Move move = *MoveFromUcci(taking);
    return Threatens(At(fen).board(), move.from(), move.to());
  };
  // A protected knight: by an adviser, by a rook; a protected cannon, by an elephant.
  EXPECT_TRUE(threatens("4kr3/9/9/9/9/9/9/5n3/4A4/3K5 w", "e1f2"));
  EXPECT_FALSE(threatens("4kr3/9/9/9/9/9/9/R4n3/9/3K5 w", "a2f2"));
  EXPECT_TRUE(threatens("4k1r2/9/9/9/9/6c2/9/4B4/9/3K5 w", "e2g4"));
  // A rook that is pinned to its file may take back along it only.
  EXPECT_TRUE(threatens("3k5/9/9/9/R2r5/9/9/3R5/9/4K4 w", "a5d5"));
  EXPECT_FALSE(threatens("3k5/9/9/9/R2r5/9/9/3R5/9/4K4 w", "d2d5"));
  // A pinned attacker, and a target out of reach.
  EXPECT_FALSE(threatens("3k1r3/9/9/9/9/9/n4R3/9/9/5K3 w", "f3a3"));
  EXPECT_FALSE(threatens("3k5/9/9/9/9/9/n1p2R3/9/9/5K3 w", "f3a3"));
  // A king protects, but not where it would be attacked.
  EXPECT_FALSE(threatens("9/4k4/4n4/9/9/9/9/4R4/9/3K5 w", "e2e7"));
  EXPECT_TRUE(threatens("9/4k4/4n4/9/9/9/4R4/4R4/9/3K5 w", "e3e7"));
}

TEST(XiangqiChase, ChasingAnUnprotectedPieceLoses) {
  const std::string fen = "3k5/9/9/1c7/9/9/2R6/9/9/5K3 w";
  EXPECT_EQ(AfterTwo(fen, kRookChase), kChaserToMove);
  EXPECT_EQ(AfterTwo(fen, kRookChase, RepetitionRule::kCheck), kDrawn);
  EXPECT_EQ(AfterTwo(fen, kRookChase, RepetitionRule::kDraw), kDrawn);
  // One ply later Black is to move, and has won.
  Position position = At(fen);
  Play(position, kRookChase);
  Play(position, kRookChase);
  Play(position, "c3b3");
  EXPECT_EQ(JudgeRepetition(position, RepetitionRule::kAsian, 3),
            (HistoryVerdict{Repetition::kWin, Termination::kPerpetualChase}));
}

TEST(XiangqiChase, ChasingAProtectedPieceIsADraw) {
  EXPECT_EQ(AfterTwo("3k5/9/9/1c6r/9/9/2R6/9/9/5K3 w", kRookChase), kDrawn);
}

TEST(XiangqiChase, APinnedPieceProtectsNothing) {
  // The rook on d6 stands between its king and Red's second rook.
  EXPECT_EQ(AfterTwo("3k5/9/9/1c1r5/9/9/2R6/9/9/3R1K3 w", kRookChase), kChaserToMove);
}

TEST(XiangqiChase, ACannonChasesARookThatIsProtected) {
  const std::string fen = "3k5/9/9/1r6r/9/9/9/1pp6/9/2C2K3 w";
  EXPECT_EQ(AfterTwo(fen, "c0b0 b6c6 b0c0 c6b6"), kChaserToMove);
}

TEST(XiangqiChase, ARookDoesNotChaseARook) {
  EXPECT_EQ(AfterTwo("3k5/9/9/1r7/9/9/2R6/9/9/5K3 w", kRookChase), kDrawn);
}

TEST(XiangqiChase, PawnsAreChasedOnlyBeyondTheRiver) {
  const Position before = At("3k5/9/9/p8/9/9/9/R8/9/5K3 w");
  EXPECT_FALSE(Threatened(before.board(), kRed));
  const Position beyond = At("3k5/9/9/9/9/p8/9/R8/9/5K3 w");
  EXPECT_EQ(Threatened(beyond.board(), kRed), Bit(MakeSquare(0, 4)));
  // There it can step aside, and the rook can follow.
  EXPECT_EQ(AfterTwo("3k5/9/9/9/9/p8/9/1R7/9/5K3 w", "b2a2 a4b4 a2b2 b4a4"), kChaserToMove);
}

TEST(XiangqiChase, KingsAndPawnsMayChase) {
  EXPECT_EQ(AfterTwo("5k3/9/9/9/9/9/9/3c5/4K4/9 w", "e1d1 d2e2 d1e1 e2d2"), kDrawn);
  EXPECT_EQ(AfterTwo("3k5/9/7c1/6P2/9/9/9/9/9/4K4 w", "g6h6 h7g7 h6g6 g7h7"), kDrawn);
}

TEST(XiangqiChase, AttackingTwoPiecesByTurnsIsADraw) {
  // Two cannons that stand still are attacked by turns.
  EXPECT_EQ(AfterTwo("3k5/9/9/9/1c1c5/9/1R7/9/9/5K3 w", "b3d3 d9d8 d3b3 d8d9"), kDrawn);
}

TEST(XiangqiChase, AChaseMayCrossManySquares) {
  EXPECT_EQ(AfterTwo("9/9/4k4/9/R8/6c2/9/9/3K5/9 w", "a5g5 g4i4 g5i5 i4a4 i5a5 a4g4"),
            kChaserToMove);
}

TEST(XiangqiChase, KeepingUpAnAttackIsNoChase) {
  // The rook moves towards the cannon, which it attacks all the time.
  EXPECT_EQ(AfterTwo("5k3/9/9/3c5/9/9/9/3R5/9/4K4 w", "d2d3 f9f8 d3d2 f8f9"), kDrawn);
}

TEST(XiangqiChase, ChasesByBothSidesAreADraw) {
  // Red's rooks attack the cannon by turns; it attacks one of them over knight or rook.
  const std::string fen = "1R7/9/4k4/n8/R8/1c7/9/9/9/3K5 b";
  const std::string cycle = "a6b8 a5b5 b8a6 b5a5";
  Position position = At(fen);
  Play(position, cycle);
  const Chased chased = ChasedAllAlong(position, 4);
  EXPECT_TRUE(chased.by[Index(kRed)]);
  EXPECT_TRUE(chased.by[Index(kBlack)]);
  EXPECT_EQ(AfterTwo(fen, cycle), kDrawn);
}

TEST(XiangqiQuiet, AHundredAndTwentyPliesWithoutACaptureAreADraw) {
  Position position = At("3k5/9/9/9/9/9/R8/9/9/5K3 w - - 118 60");
  Play(position, "a3a4");
  EXPECT_EQ(JudgeHistory(position, RepetitionRule::kAsian, 3), HistoryVerdict{});
  Play(position, "d9d8");
  EXPECT_EQ(JudgeHistory(position, RepetitionRule::kAsian, 3),
            (HistoryVerdict{Repetition::kDraw, Termination::kNoCapture}));
  position = At("3k5/9/9/9/9/p8/R8/9/9/5K3 w - - 119 60");
  Play(position, "a3a4");
  EXPECT_EQ(position.quiet_plies(), 0);
  EXPECT_EQ(JudgeHistory(position, RepetitionRule::kAsian, 3), HistoryVerdict{});
}

TEST(XiangqiQuiet, OnlyTheFirstTenChecksOfASideCount) {
  Position position = At(kRookAndKing);
  for (int i = 0; i < 10; ++i) Play(position, i % 2 == 0 ? "a8a9 d9d8" : "a9a8 d8d9");
  EXPECT_EQ(position.quiet_plies(), 20);
  Play(position, "a8a9");
  EXPECT_EQ(position.quiet_plies(), 20) << "the eleventh check";
  Play(position, "d9d8");
  EXPECT_EQ(position.quiet_plies(), 21);
}

TEST(XiangqiQuiet, AGameWithoutAttackersIsADraw) {
  const HistoryVerdict draw{Repetition::kDraw, Termination::kNoAttackers};
  EXPECT_EQ(JudgeHistory(At("3k1a3/4a4/b8/9/9/9/9/4B4/4A4/3A1K3 w"), RepetitionRule::kAsian, 3),
            draw);
  for (const char* fen : {"3k1a3/4a4/b8/9/9/9/9/4B4/4A4/3A1K2R b", "3k5/9/9/9/9/9/p8/9/9/5K3 w",
                          "3k5/9/9/9/9/9/8c/9/9/5K3 w", "3k5/9/9/9/9/9/8N/9/9/5K3 w"}) {
    EXPECT_EQ(JudgeHistory(At(fen), RepetitionRule::kAsian, 3), HistoryVerdict{}) << fen;
  }
}

// Each row is a position, a cycle, and the verdict at the third occurrence.
TEST(XiangqiRepetition, SharedCyclesHaveTheirVerdicts) {
  int cycles = 0;
  for (const auto& row : testing::ReadTsv(testing::TestData("xiangqi_cycles.tsv"))) {
    const HistoryVerdict verdict = AfterTwo(row[0], row[1]);
    const Color us = At(row[0]).side_to_move();
    const Result result = verdict.outcome == Repetition::kDraw  ? Result::kDraw
                          : verdict.outcome == Repetition::kWin ? WinFor(us)
                                                                : WinFor(~us);
    EXPECT_EQ(Name(result), row[2]) << row[0] << " " << row[1];
    EXPECT_EQ(Name(verdict.reason), row[3]) << row[0] << " " << row[1];
    ++cycles;
  }
  EXPECT_GE(cycles, 100);
}

TEST(RepetitionRule, NamesRoundTrip) {
  for (const RepetitionRule rule :
       {RepetitionRule::kDraw, RepetitionRule::kAsian, RepetitionRule::kCheck}) {
    EXPECT_EQ(RepetitionRuleOf(Name(rule)), rule);
  }
  EXPECT_EQ(RepetitionRuleOf("league"), std::nullopt);
  EXPECT_EQ(Name(RepetitionRule::kAsian), "asian");
}

}  // namespace
}  // namespace joseki::xiangqi
