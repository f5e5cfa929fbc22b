#include "coordinator/scheduling/lease_pace.h"

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

LeasePace Some() {
  return {.game = absl::Seconds(1),
          .staged = true,
          .available = 1'000'000,
          .workers = 10,
          .seats = 4,
          .least_term = absl::Minutes(1),
          .beat = absl::Seconds(15)};
}

TEST(LeasePace, ALeaseIsAMinuteOrTwoOfWork) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.LeaseSlots(), 360u) << "90 rounds of four";
  pace.game = absl::Seconds(30);
  EXPECT_EQ(pace.LeaseSlots(), 12u);
  pace.game = absl::Minutes(5);
  EXPECT_EQ(pace.LeaseSlots(), 4u) << "one round, however long";
  pace.game = absl::Microseconds(1);
  EXPECT_EQ(pace.LeaseSlots(), 1024u);
  pace.game = absl::ZeroDuration();
  EXPECT_EQ(pace.LeaseSlots(), 4u) << "not measured yet";
}

TEST(LeasePace, OnlyAStagedRuleLetsAWorkerGoFarAhead) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.Ahead(), 240u) << "a minute of work";
  pace.staged = false;
  EXPECT_EQ(pace.Ahead(), 1u) << "a quarter of its slots";
  pace.staged = true;
  pace.game = absl::Minutes(2);
  EXPECT_EQ(pace.Ahead(), 1u);
  pace.game = absl::ZeroDuration();
  pace.seats = 64;
  EXPECT_EQ(pace.Ahead(), 16u);
}

TEST(LeasePace, AWorkerHoldsNoMoreThanItNeedsOrAThousand) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.MostInHand(), 1024u);
  pace.seats = 512;
  EXPECT_EQ(pace.MostInHand(), 512 + pace.Ahead() + pace.LeaseSlots());
  pace.seats = 4;
  pace.staged = false;
  pace.game = absl::Minutes(10);
  EXPECT_EQ(pace.Longest(9), pace.Longest(1000)) << "more than it needs gives it no time";
}

TEST(LeasePace, WhatIsLeftIsSpreadOverTheWorkers) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.Share(), 1024u);
  pace.available = 200;
  EXPECT_EQ(pace.Share(), 10u) << "half of an equal share";
  pace.available = 3;
  EXPECT_EQ(pace.Share(), 1u);
  pace.available = 0;
  EXPECT_EQ(pace.Share(), 0u);
  pace.available = 200;
  pace.workers = 1;
  EXPECT_EQ(pace.Share(), 200u) << "nobody to leave anything to";
}

TEST(LeasePace, ALeaseHasSoLongForEachOfItsGames) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.Longest(4), absl::Minutes(8)) << "eight terms";
  pace.game = absl::Hours(5);
  EXPECT_EQ(pace.Longest(4), absl::Hours(40)) << "and no less than its games";
  pace.game = absl::ZeroDuration();
  EXPECT_EQ(pace.Longest(4), absl::Hours(2)) << "nobody knows";
  pace.limit = absl::Hours(1);
  EXPECT_EQ(pace.Longest(8), absl::Hours(16)) << "but the limits";
}

TEST(LeasePace, TheTermIsFourTimesTheWorkWithinBounds) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.Term(4), absl::Minutes(1)) << "at least";
  EXPECT_EQ(pace.Term(240), absl::Minutes(4));
  EXPECT_EQ(pace.Term(100'000), absl::Minutes(15)) << "at most";
  pace.least_term = absl::Minutes(20);
  EXPECT_EQ(pace.Term(4), absl::Minutes(20)) << "as the operator wants it";
}

TEST(LeasePace, ATermIsNotOverDuringOneMoveOrSearch) {
  LeasePace pace = Some();
  pace.step = absl::Seconds(90);
  EXPECT_EQ(pace.Term(4), absl::Minutes(3));
  EXPECT_EQ(pace.Term(240), absl::Minutes(4)) << "the slots take longer";
  EXPECT_EQ(pace.Patience(4), absl::Minutes(1)) << "a worker that is there names its leases";
  pace.game = absl::ZeroDuration();
  pace.step = absl::Hours(1);
  EXPECT_EQ(pace.Term(4), absl::Hours(2));
  EXPECT_EQ(pace.Longest(4), absl::Hours(16));
}

TEST(LeasePace, AWorkerThatIsGoneIsMissedBeforeItsTermIsOver) {
  LeasePace pace = Some();
  EXPECT_EQ(pace.Patience(240), absl::Minutes(1));
  pace.game = absl::Minutes(3);
  EXPECT_EQ(pace.Patience(4), absl::Minutes(3)) << "long games are worth some patience";
  EXPECT_EQ(pace.Term(4), absl::Minutes(12));
  pace = Some();
  pace.beat = absl::Seconds(60);
  EXPECT_EQ(pace.Patience(240), absl::Minutes(4)) << "four beats";
  EXPECT_EQ(pace.Patience(4), absl::Minutes(1)) << "never more than the term";
}

}  // namespace
}  // namespace joseki::coordinator
