#include "coordinator/scheduling/fair_share.h"

#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using Counts = std::map<RunId, uint32_t>;

// Hands out `total` slots, `lease` at a time, each to the run of `runs` that is next.
Counts HandOut(FairShare& shares, const std::vector<RunId>& runs, uint32_t total,
               uint32_t lease = 1) {
  Counts counts;
  for (uint32_t slots = 0; slots < total; slots += lease) {
    const RunId next = shares.Next(runs);
    shares.Charge(next, lease);
    counts[next] += lease;
  }
  return counts;
}

TEST(FairShare, NobodyIsNextOfNone) {
  FairShare shares;
  EXPECT_EQ(shares.Next({}), 0u);
}

TEST(FairShare, SharesByWeight) {
  struct Case {
    std::string name;
    std::vector<uint32_t> weights;  // of runs 1, 2, ...
    uint32_t lease;
    Counts of_1200;
  };
  const std::vector<Case> cases = {
      {"alone", {100}, 1, {{1, 1200}}},
      {"equal", {100, 100}, 1, {{1, 600}, {2, 600}}},
      {"equal, by leases", {100, 100}, 20, {{1, 600}, {2, 600}}},
      {"three to one", {300, 100}, 1, {{1, 900}, {2, 300}}},
      {"three to one, by leases", {300, 100}, 10, {{1, 900}, {2, 300}}},
      {"three runs", {1, 2, 3}, 1, {{1, 200}, {2, 400}, {3, 600}}},
      {"extremes", {1000, 200}, 1, {{1, 1000}, {2, 200}}},
  };
  for (const Case& test : cases) {
    FairShare shares;
    std::vector<RunId> runs;
    for (const uint32_t weight : test.weights) {
      runs.push_back(runs.size() + 1);
      shares.Set(runs.back(), {.priority = 5, .weight = weight});
    }
    const Counts counts = HandOut(shares, runs, 1200, test.lease);
    for (const RunId run : runs) {
      // Never further from its share than the size of one reply.
      EXPECT_NEAR(counts.at(run), test.of_1200.at(run), test.lease) << test.name << " run " << run;
    }
  }
}

TEST(FairShare, SmallAndLargeLeasesCountBySlots) {
  FairShare shares;
  shares.Set(1, {});
  shares.Set(2, {});
  Counts counts;
  for (int i = 0; i < 1000; ++i) {
    const RunId next = shares.Next(std::vector<RunId>{1, 2});
    const uint32_t lease = next == 1 ? 16 : 1;
    shares.Charge(next, lease);
    counts[next] += lease;
  }
  EXPECT_NEAR(counts[1], counts[2], 16);
}

TEST(FairShare, AHigherPriorityGoesFirstAsLongAsItHasAny) {
  FairShare shares;
  shares.Set(1, {.priority = 5, .weight = 1000});
  shares.Set(2, {.priority = 6, .weight = 1});
  EXPECT_THAT(HandOut(shares, {1, 2}, 100), ElementsAre(Pair(2, 100)));
  EXPECT_THAT(HandOut(shares, {1}, 100), ElementsAre(Pair(1, 100)));
  EXPECT_THAT(HandOut(shares, {1, 2}, 100), ElementsAre(Pair(2, 100)));
}

TEST(FairShare, WhoHadNothingToGiveHasNoClaimToWhatItMissed) {
  FairShare shares;
  shares.Set(1, {});
  shares.Set(2, {});
  HandOut(shares, {1}, 10'000);
  const Counts counts = HandOut(shares, {1, 2}, 100);
  EXPECT_EQ(counts.at(1), 50u);
  EXPECT_EQ(counts.at(2), 50u);
}

TEST(FairShare, AChangeOfPriorityOrWeightActsAtOnce) {
  FairShare shares;
  shares.Set(1, {});
  shares.Set(2, {});
  HandOut(shares, {1, 2}, 10'000);
  shares.Set(1, {.priority = 9, .weight = 100});
  EXPECT_EQ(HandOut(shares, {1, 2}, 100).at(1), 100u);
  shares.Set(1, {.priority = 5, .weight = 300});
  EXPECT_NEAR(HandOut(shares, {1, 2}, 100).at(1), 75, 1);
}

TEST(FairShare, RefundedSlotsAreOwedAgain) {
  FairShare shares;
  shares.Set(1, {});
  shares.Set(2, {});
  shares.Charge(1, 50);
  shares.Charge(2, 50);
  shares.Refund(1, 50);  // could not be written
  const Counts counts = HandOut(shares, {1, 2}, 150);
  EXPECT_NEAR(counts.at(1), 100, 1);
  EXPECT_NEAR(counts.at(2), 50, 1);
}

}  // namespace
}  // namespace joseki::coordinator
