#include "coordinator/runs/unwritten_changes.h"

#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Edges = std::vector<book::EdgeId>;

TEST(UnwrittenChanges, NamesEachEdgeOnceUntilItIsTaken) {
  UnwrittenChanges changes(4);
  EXPECT_FALSE(changes.any());
  changes.Reach(5);
  changes.Mark(Edges{1, 3});
  changes.Mark(Edges{3, 0});
  changes.AddSeen(77);
  EXPECT_TRUE(changes.any());
  EXPECT_EQ(changes.games(), 5u);
  RunCounters counters;
  counters.games = 2;
  const UnwrittenChanges::Taken taken = changes.Take(counters);
  EXPECT_THAT(taken.edges, ElementsAre(1, 3, 0));
  EXPECT_EQ(taken.checkpoint.seq, 5u);
  EXPECT_EQ(taken.checkpoint.counters, counters);
  EXPECT_THAT(taken.checkpoint.seen, ElementsAre(77));
  EXPECT_FALSE(changes.any());
  EXPECT_THAT(changes.Take(counters).edges, IsEmpty());
  changes.Mark(Edges{3});
  EXPECT_THAT(changes.Take(counters).edges, ElementsAre(3)) << "it has changed again";
}

TEST(UnwrittenChanges, WhatCouldNotBeWrittenComesAgain) {
  UnwrittenChanges changes(4);
  changes.Reach(1);
  changes.Mark(Edges{0, 1});
  changes.AddSeen(10);
  UnwrittenChanges::Taken lost = changes.Take({});
  changes.Reach(2);
  changes.Mark(Edges{1, 2});
  changes.AddSeen(20);
  changes.Return(std::move(lost));
  EXPECT_EQ(changes.games(), 2u) << "since no checkpoint at all";
  const UnwrittenChanges::Taken taken = changes.Take({});
  EXPECT_THAT(taken.edges, ::testing::UnorderedElementsAre(0, 1, 2));
  EXPECT_THAT(taken.checkpoint.seen, ElementsAre(10, 20)) << "in order of commit";
}

TEST(UnwrittenChanges, BeginWithWhatACheckpointLacks) {
  UnwrittenChanges changes(4);
  changes.Begin(/*seq=*/9, /*written_seq=*/6, Edges{2, 2}, std::vector<uint64_t>{5});
  EXPECT_EQ(changes.seq(), 9u);
  EXPECT_EQ(changes.games(), 3u);
  changes.Reach(8);
  EXPECT_EQ(changes.seq(), 9u) << "an earlier one";
  const UnwrittenChanges::Taken taken = changes.Take({});
  EXPECT_THAT(taken.edges, ElementsAre(2));
  EXPECT_THAT(taken.checkpoint.seen, ElementsAre(5));
}

}  // namespace
}  // namespace joseki::coordinator
