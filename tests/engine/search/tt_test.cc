#include "engine/search/tt.h"

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

TtData Entry(int depth, Value value = 10, Move move = Move::Board(1, 2)) {
  return {.move = move, .value = value, .eval = 5, .depth = depth, .bound = Bound::kExact};
}

TEST(TranspositionTable, GivesBackWhatWasStored) {
  TranspositionTable table(1 << 16);
  TtData data;
  EXPECT_FALSE(table.Probe({1, 2}, data));
  table.Store({1, 2}, Entry(7, -31990));
  ASSERT_TRUE(table.Probe({1, 2}, data));
  EXPECT_EQ(data.value, -31990);
  EXPECT_EQ(data.eval, 5);
  EXPECT_EQ(data.depth, 7);
  EXPECT_EQ(data.bound, Bound::kExact);
  EXPECT_EQ(data.move, Move::Board(1, 2));
}

TEST(TranspositionTable, TellsKeysOfOneClusterApart) {
  TranspositionTable table(0);  // one cluster
  for (uint64_t hi = 0; hi < 4; ++hi) table.Store({hi, 9}, Entry(static_cast<int>(hi) + 1));
  TtData data;
  for (uint64_t hi = 0; hi < 4; ++hi) {
    ASSERT_TRUE(table.Probe({hi, 9}, data)) << hi;
    EXPECT_EQ(data.depth, static_cast<int>(hi) + 1);
  }
  EXPECT_FALSE(table.Probe({4, 9}, data));
}

TEST(TranspositionTable, ReplacesTheShallowestAndTheOld) {
  TranspositionTable table(0);
  for (const int depth : {5, 2, 9, 7}) table.Store({static_cast<uint64_t>(depth), 0}, Entry(depth));
  table.Store({100, 0}, Entry(1));
  TtData data;
  EXPECT_FALSE(table.Probe({2, 0}, data)) << "the shallowest had to go";
  EXPECT_TRUE(table.Probe({100, 0}, data));
  table.NewSearch();
  table.NewSearch();
  for (uint64_t key = 200; key < 203; ++key) table.Store({key, 0}, Entry(1));
  for (uint64_t key = 200; key < 203; ++key) EXPECT_TRUE(table.Probe({key, 0}, data));
}

TEST(TranspositionTable, KeepsTheMoveWhereTheNewResultHasNone) {
  TranspositionTable table(1 << 16);
  table.Store({3, 3}, Entry(4));
  table.Store({3, 3}, Entry(5, 20, Move()));
  TtData data;
  ASSERT_TRUE(table.Probe({3, 3}, data));
  EXPECT_EQ(data.move, Move::Board(1, 2));
  EXPECT_EQ(data.value, 20);
  // Another position in its place does not inherit it.
  TranspositionTable one(0);
  for (uint64_t hi = 1; hi <= 4; ++hi) one.Store({hi, 0}, Entry(2));
  one.Store({5, 0}, Entry(3, 1, Move()));
  ASSERT_TRUE(one.Probe({5, 0}, data));
  EXPECT_FALSE(data.move);
}

TEST(TranspositionTable, KeepsADeepResultOfThisSearch) {
  TranspositionTable table(1 << 16);
  table.Store({3, 3}, Entry(12, 77));
  TtData shallow = Entry(1, 1);
  shallow.bound = Bound::kUpper;
  table.Store({3, 3}, shallow);
  TtData data;
  ASSERT_TRUE(table.Probe({3, 3}, data));
  EXPECT_EQ(data.value, 77);
  table.NewSearch();
  table.Store({3, 3}, shallow);
  ASSERT_TRUE(table.Probe({3, 3}, data));
  EXPECT_EQ(data.value, 1);
}

TEST(TranspositionTable, ClearForgetsAndResizeKeepsToTheSize) {
  TranspositionTable table(3 << 20);
  EXPECT_EQ(table.bytes(), size_t{2} << 20);
  Rng rng(1);
  for (int i = 0; i < 200000; ++i) table.Store({rng.Next(), rng.Next()}, Entry(3));
  EXPECT_GT(table.Hashfull(), 500);
  table.Clear();
  EXPECT_EQ(table.Hashfull(), 0);
  table.Resize(1000);
  EXPECT_LE(table.bytes(), 1000u);
}

TEST(TranspositionTable, MatesCountFromThePosition) {
  EXPECT_EQ(ToTable(MateIn(9), 4), MateIn(5));
  EXPECT_EQ(FromTable(MateIn(5), 2), MateIn(7));
  EXPECT_EQ(ToTable(MatedIn(9), 4), MatedIn(5));
  EXPECT_EQ(FromTable(MatedIn(5), 2), MatedIn(7));
  EXPECT_EQ(ToTable(123, 40), 123);
  EXPECT_EQ(FromTable(kValueNone, 40), kValueNone);
}

}  // namespace
}  // namespace joseki
