#include "engine/shogi/mate/mate_solver.h"

#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/shogi/mate/mate_hand.h"
#include "engine/shogi/mate/mate_table.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/engine/shogi/mate/brute_mate.h"
#include "tests/support/data.h"
#include "tests/support/sample_positions.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {
namespace {

constexpr size_t kSolverTable = size_t{4} << 20;

std::string Text(const MateResult& result) {
  std::string text = result.verdict == MateVerdict::kMate     ? "mate:"
                     : result.verdict == MateVerdict::kNoMate ? "no mate"
                                                              : "unknown";
  for (const Move move : result.line) text += " " + ToUsi(move);
  return text;
}

MateResult Solve(const std::string& sfen, uint64_t nodes = 1000000) {
  MateSolver solver(kSolverTable);
  return solver.Run(At(sfen), {.nodes = nodes});
}

// The line is one that the rules allow, checks all the way, to a mate.
void ExpectMateLine(Position position, const MateResult& result) {
  const std::string sfen = ToSfen(position, 1);
  ASSERT_EQ(result.verdict, MateVerdict::kMate) << sfen;
  ASSERT_EQ(result.line.size() % 2, 1u) << sfen;
  for (size_t i = 0; i < result.line.size(); ++i) {
    ASSERT_TRUE(position.IsLegal(result.line[i])) << sfen << " " << Text(result);
    Undo undo;
    position.Do(result.line[i], undo);
    ASSERT_TRUE(i % 2 == 1 || position.InCheck()) << sfen << " " << Text(result);
  }
  ASSERT_FALSE(position.HasLegalMove()) << sfen << " " << Text(result);
}

TEST(MateHand, ComparesEveryKind) {
  MateHand some;
  some.Set(kPawn, 18);
  some.Set(kGold, 1);
  MateHand more = some;
  more.Set(kGold, 4);
  EXPECT_TRUE(more.HasAllOf(some));
  EXPECT_TRUE(some.HasAllOf(some));
  EXPECT_FALSE(some.HasAllOf(more));
  MateHand other;
  other.Set(kLance, 4);
  other.Set(kPawn, 17);
  EXPECT_FALSE(other.HasAllOf(some));
  EXPECT_FALSE(some.HasAllOf(other));
  EXPECT_EQ(Union(some, other).Count(kLance), 4);
  EXPECT_EQ(Union(some, other).Count(kPawn), 18);
  EXPECT_EQ(Intersection(some, other).Count(kLance), 0);
  EXPECT_EQ(Intersection(some, other).Count(kPawn), 17);
  for (int t = kPawn; t <= kGold; ++t) {
    MateHand one;
    one.Set(static_cast<PieceType>(t), 1);
    EXPECT_TRUE(kEveryPiece.HasAllOf(one));
    EXPECT_FALSE(MateHand().HasAllOf(one));
    EXPECT_TRUE(one.HasAllOf(MateHand()));
  }
}

MateHand Pawns(int count) {
  MateHand hand;
  hand.Set(kPawn, count);
  return hand;
}

TEST(MateTable, ProofsHoldForMoreInHandAndDisproofsForLess) {
  MateTable table(1 << 16);
  EXPECT_FALSE(table.Look(7, Pawns(1)).found);
  table.KeepOpen(7, Pawns(2), 5, 3, 10, 4);
  EXPECT_TRUE(table.Look(7, Pawns(2)).found);
  EXPECT_EQ(table.Look(7, Pawns(2)).nearest, 4);
  EXPECT_FALSE(table.Look(7, Pawns(1)).found);
  EXPECT_EQ(table.Look(7, Pawns(1)).proof, 5u) << "no easier with less";
  EXPECT_EQ(table.Look(7, Pawns(3)).disproof, 3u) << "no easier to refute with more";

  table.KeepProven(7, Pawns(3), 5, Move::Drop(kPawn, 1), 10);
  EXPECT_EQ(table.Look(7, Pawns(3)).proof, 0u);
  EXPECT_EQ(table.Look(7, Pawns(9)).plies, 5);
  EXPECT_NE(table.Look(7, Pawns(2)).proof, 0u);
  EXPECT_FALSE(table.Look(8, Pawns(9)).found);
  // A longer mate that needs less does not push out the shorter one.
  table.KeepProven(7, Pawns(2), 9, Move::Drop(kPawn, 2), 10);
  EXPECT_EQ(table.Look(7, Pawns(3)).plies, 5);
  EXPECT_EQ(table.Look(7, Pawns(2)).plies, 9);

  table.KeepDisproven(7, Pawns(1), 10);
  EXPECT_EQ(table.Look(7, Pawns(0)).disproof, 0u);
  EXPECT_EQ(table.Look(7, Pawns(2)).proof, 0u);
  table.Clear();
  EXPECT_FALSE(table.Look(7, Pawns(0)).found);
}

TEST(MateTable, SweepsOutTheSmallSearches) {
  MateTable table(1 << 16);
  for (uint64_t key = 1; key <= 20000; ++key) {
    table.KeepOpen(key * 0x9e3779b97f4a7c15, MateHand(), 2, 2, key % 100 == 0 ? 1000 : 1, 1);
  }
  EXPECT_GT(table.sweeps(), 0);
  int large = 0;
  for (uint64_t key = 100; key <= 20000; key += 100) {
    large += table.Look(key * 0x9e3779b97f4a7c15, MateHand()).found ? 1 : 0;
  }
  EXPECT_GT(large, 150) << "of 200";
}

TEST(MateSolver, ProvesKnownMates) {
  for (const size_t table : {kSolverTable, size_t{1} << 12}) {
    MateSolver solver(table);
    for (const auto& row : testing::ReadTsv(testing::TestData("mates.tsv"))) {
      if (row.size() != 2) continue;  // a comment
      const Position position = At(row[1]);
      const MateResult result = solver.Run(position, {.nodes = 200000});
      ExpectMateLine(position, result);
      EXPECT_GE(result.line.size(), static_cast<size_t>(std::stoi(row[0]))) << row[1];
    }
  }
}

// The gold guards the square before the king and the one beside it; the knight shuts the king in.
TEST(MateSolver, NeverMatesByADroppedPawn) {
  EXPECT_EQ(Text(Solve("7nk/9/8G/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1")), "no mate");
  EXPECT_EQ(Text(Solve("7nk/9/8G/9/9/9/9/9/9 b L2r2b3g4s3n3l18p 1")), "mate: L*1b");
}

TEST(MateSolver, PerpetualCheckIsNoMate) {
  EXPECT_EQ(Text(Solve("k8/9/9/9/9/9/9/9/1R2K4 b - 1")), "no mate");
  EXPECT_EQ(Text(Solve("k8/2r6/9/9/9/9/9/9/1R2K4 b b4g4s4n4l18p 1")), "no mate");
}

TEST(MateSolver, SaysSoWhereNothingChecks) {
  EXPECT_EQ(Text(Solve("startpos")), "no mate");
  EXPECT_EQ(Text(Solve("9/9/9/9/9/9/9/9/4K4 b 2R 1")), "no mate") << "no king to mate";
}

// Takes millions of nodes.
constexpr const char* kLongSearch = "9/9/9/9/4k4/9/9/9/4K4 b 2R2B4g4s4n4l18p 1";

TEST(MateSolver, KeepsToItsNodes) {
  for (const uint64_t nodes : {1, 2, 5, 50, 5000}) {
    const MateResult result = Solve(kLongSearch, nodes);
    EXPECT_EQ(result.verdict, MateVerdict::kUnknown);
    EXPECT_EQ(result.nodes, nodes);
  }
}

TEST(MateSolver, StopsUntilItIsCleared) {
  MateSolver solver(kSolverTable);
  solver.Stop();
  const MateResult stopped = solver.Run(At(kLongSearch), {});
  EXPECT_EQ(stopped.verdict, MateVerdict::kUnknown);
  EXPECT_LE(stopped.nodes, 1024u);
  solver.ClearStop();
  EXPECT_EQ(solver.Run(At(kLongSearch), {.nodes = 3000}).nodes, 3000u);
}

TEST(MateSolver, KeepsToItsTime) {
  MateSolver solver(kSolverTable);
  const MateResult result = solver.Run(At(kLongSearch), {.ms = 1});
  EXPECT_EQ(result.verdict, MateVerdict::kUnknown);
}

TEST(MateSolver, IsTheSameEveryTime) {
  MateSolver one(kSolverTable);
  MateSolver other(kSolverTable);
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const Position position = RandomAttack(rng);
    const MateResult first = one.Run(position, {.nodes = 3000});
    const MateResult second = other.Run(position, {.nodes = 3000});
    EXPECT_EQ(Text(first), Text(second));
    EXPECT_EQ(first.nodes, second.nodes);
  }
}

struct Claims {
  int there = 0;  // mates that trying everything found
  int found = 0;  // of these
  int mates = 0;
  int no_mates = 0;
};

// Compares the solver's answer for a position with an exhaustive search to `plies`.
void Compare(MateSolver& solver, Position& position, int plies, Claims& claims) {
  const MateResult result = solver.Run(position, {.nodes = 10000});
  int64_t budget = 50000;
  const bool mates = MatesWithin(position, plies, budget);
  if (budget <= 0) return;
  const std::string where = ToSfen(position, 1) + ": " + Text(result);
  if (mates) {
    ASSERT_NE(result.verdict, MateVerdict::kNoMate) << where;
    claims.found += result.verdict == MateVerdict::kMate ? 1 : 0;
    ++claims.there;
  }
  if (result.verdict == MateVerdict::kMate) {
    ++claims.mates;
    ExpectMateLine(position, result);
    // The defender takes what holds out longest, so the mate is no longer than its line.
    if (result.line.size() <= static_cast<size_t>(plies)) {
      ASSERT_TRUE(mates) << where;
    }
  } else if (result.verdict == MateVerdict::kNoMate) {
    ++claims.no_mates;
  }
}

TEST(MateSolver, IsAsRightAsTryingEveryMoveInGames) {
  MateSolver solver(kSolverTable);
  Claims claims;
  for (Position& position : SamplePositions(/*seed=*/11, /*games=*/8, /*every=*/2)) {
    ASSERT_NO_FATAL_FAILURE(Compare(solver, position, 3, claims));
  }
  EXPECT_GT(claims.mates, 10);
  EXPECT_GT(claims.no_mates, 100);
  EXPECT_GE(claims.found * 100, claims.there * 95);
}

TEST(MateSolver, IsAsRightAsTryingEveryMoveInAttacks) {
  MateSolver solver(kSolverTable);
  MateSolver tiny(size_t{1} << 12);
  Claims claims;
  Rng rng(5);
  for (int i = 0; i < 300; ++i) {
    Position position = RandomAttack(rng);
    ASSERT_NO_FATAL_FAILURE(Compare(i % 4 == 0 ? tiny : solver, position, 5, claims));
  }
  EXPECT_GT(claims.mates, 10);
  EXPECT_GT(claims.no_mates, 100);
  EXPECT_GE(claims.found * 100, claims.there * 95);
}

// Against the whole graph of positions: refutations too, and those that rest on repetitions.
TEST(MateSolver, IsAsRightAsTheWholeGraph) {
  MateSolver solver(kSolverTable);
  MateSolver tiny(size_t{1} << 12);
  int mates = 0;
  int no_mates = 0;
  Rng rng(23);
  for (int i = 0; i < 600; ++i) {
    const Position position = RandomAttack(rng, /*kinds=*/0);
    const std::optional<bool> mate = MatesAtAll(position, 2000);
    if (!mate) continue;
    const MateResult result = (i % 4 == 0 ? tiny : solver).Run(position, {.nodes = 200000});
    ASSERT_EQ(result.verdict, *mate ? MateVerdict::kMate : MateVerdict::kNoMate)
        << ToSfen(position, 1) << ": " << Text(result);
    ++(*mate ? mates : no_mates);
  }
  EXPECT_GT(mates, 0);
  EXPECT_GT(no_mates, 100);
}

}  // namespace
}  // namespace joseki::shogi
