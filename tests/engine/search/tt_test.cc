#include "engine/search/tt.h"

#include <thread>
#include <vector>

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

// Keys of one cluster that want the same place: by a scheme with one or with two.
Key Same(uint64_t i) { return {i, 0}; }

// Which of the keys 1 to 3 are there after entries of these depths, and of as many nodes, were
// stored in turn.
std::vector<uint64_t> Left(Replacement scheme, const std::vector<int>& depths) {
  TranspositionTable table(0);
  table.UseReplacement(scheme);
  for (size_t i = 0; i < depths.size(); ++i) {
    TtData data = Entry(depths[i]);
    data.nodes = static_cast<uint32_t>(depths[i]);
    table.Store(Same(i + 1), data);
  }
  std::vector<uint64_t> left;
  for (uint64_t i = 1; i <= depths.size(); ++i) {
    TtData data;
    if (table.Probe(Same(i), data)) left.push_back(i);
  }
  return left;
}

TEST(TranspositionTable, ReplacesByTheSchemeItIsTold) {
  using Keys = std::vector<uint64_t>;
  EXPECT_EQ(Left(Replacement::kNew, {5, 9, 1}), Keys({3}));
  EXPECT_EQ(Left(Replacement::kOld, {5, 9, 1}), Keys({1}));
  for (const auto scheme : {Replacement::kDeep, Replacement::kBig1, Replacement::kBigAll}) {
    EXPECT_EQ(Left(scheme, {5, 9, 1}), Keys({2})) << static_cast<int>(scheme);
    EXPECT_EQ(Left(scheme, {5, 5}), Keys({2}))
        << "of equals the later, " << static_cast<int>(scheme);
  }
  for (const auto scheme : {Replacement::kTwoDeep, Replacement::kTwoBig}) {
    EXPECT_EQ(Left(scheme, {5, 9, 1}), Keys({2, 3})) << static_cast<int>(scheme);
    EXPECT_EQ(Left(scheme, {5, 1, 9}), Keys({1, 3})) << static_cast<int>(scheme);
  }
  EXPECT_EQ(Left(Replacement::kClusters, {5, 9, 1}), Keys({1, 2, 3}));
}

TEST(TranspositionTable, WhatAnEarlierSearchHasLeftGivesWayByEveryScheme) {
  for (int scheme = 0; scheme <= static_cast<int>(Replacement::kTwoBig); ++scheme) {
    TranspositionTable table(0);
    table.UseReplacement(static_cast<Replacement>(scheme));
    for (uint64_t i = 1; i <= 4; ++i) table.Store(Same(i), Entry(1));
    for (int i = 0; i < 8; ++i) table.NewSearch();
    table.Store(Same(9), Entry(1));
    TtData data;
    EXPECT_TRUE(table.Probe(Same(9), data)) << scheme;
  }
}

TEST(TranspositionTable, CountsWhatHappensAndRefusesWhenItIsFull) {
  TranspositionTable table(0);
  TableStatistics statistics;
  table.CountIn(&statistics);
  table.RefuseFrom(75);
  TtData data;
  for (uint64_t i = 1; i <= 3; ++i) table.Store(Same(i), Entry(2));
  EXPECT_TRUE(table.full());
  table.Store(Same(4), Entry(9));
  EXPECT_FALSE(table.Probe(Same(4), data)) << "refused";
  table.Store(Same(3), Entry(9));
  EXPECT_TRUE(table.Probe(Same(3), data));
  EXPECT_EQ(data.depth, 9) << "what is there is brought up to date";
  EXPECT_EQ(statistics.stores, 5u);
  EXPECT_EQ(statistics.refusals, 1u);
  EXPECT_EQ(statistics.overwrites, 0u);
  EXPECT_EQ(statistics.probes, 2u);
  EXPECT_EQ(statistics.hits, 1u);
  table.NewSearch();
  EXPECT_FALSE(table.full());
  table.RefuseFrom(0);
  for (uint64_t i = 1; i <= 5; ++i) table.Store(Same(i), Entry(2));
  EXPECT_EQ(statistics.overwrites, 1u);
  EXPECT_NEAR(TableStatistics{.stores = 2}.ExpectedOverwrites(2), 0.5, 1e-9);
}

TEST(TranspositionTable, SharedMemoryIsReadAndWrittenByAllAndNoEntryIsMixedUp) {
  TranspositionTable table(1 << 12);
  table.UseShared(true);
  // Move, value and depth of an entry follow from its key: one that was torn would show.
  auto data_of = [](uint64_t i) {
    return TtData{.move = Move(static_cast<uint16_t>(1 + i % 4000)),
                  .value = static_cast<Value>(i % 3000),
                  .depth = static_cast<int>(i % 60),
                  .bound = Bound::kExact};
  };
  auto work = [&](TranspositionTable& view, uint64_t seed) {
    Rng rng(seed);
    uint64_t hits = 0;
    for (int n = 0; n < 40000; ++n) {
      const uint64_t i = rng.Below(2000);
      const Key key{i * 0x9e3779b97f4a7c15u, i};
      TtData data;
      if (view.Probe(key, data)) {
        ++hits;
        EXPECT_EQ(data.move, data_of(i).move);
        EXPECT_EQ(data.value, data_of(i).value);
        EXPECT_EQ(data.depth, data_of(i).depth);
      }
      view.Store(key, data_of(i));
    }
    EXPECT_GT(hits, 100u);
  };
  TranspositionTable other(0);
  other.LookAt(table);
  std::thread thread([&] { work(other, 1); });
  work(table, 2);
  thread.join();
  TtData data;
  uint64_t same = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    same += other.Probe({i * 0x9e3779b97f4a7c15u, i}, data) ? 1 : 0;
  }
  EXPECT_GT(same, 100u) << "what one has stored the other finds";
  table.UseShared(false);
  EXPECT_EQ(table.Hashfull(), 0);
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
