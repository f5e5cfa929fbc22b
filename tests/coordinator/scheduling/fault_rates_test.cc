#include "coordinator/scheduling/fault_rates.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;

void Add(FaultRates& rates, const std::string& worker, int games, int faults) {
  for (int i = 0; i < games; ++i) rates.Add(worker, false);
  for (int i = 0; i < faults; ++i) rates.Add(worker, true);
}

TEST(FaultRates, BlamesWhoeverBreaksWhatOthersPlay) {
  FaultRates rates;
  Add(rates, "good", 40, 2);
  Add(rates, "bad", 0, 23);
  EXPECT_FALSE(rates.WhyFaulty("bad")) << "too few";
  rates.Add("bad", true);
  ASSERT_TRUE(rates.WhyFaulty("bad"));
  EXPECT_THAT(*rates.WhyFaulty("bad"), HasSubstr("24 of its last 24 games"));
  EXPECT_FALSE(rates.WhyFaulty("good"));
  EXPECT_FALSE(rates.WhyFaulty("nobody"));
}

TEST(FaultRates, BlamesNobodyWhereAllBreakTheirGames) {
  FaultRates rates;
  for (const char* const worker : {"a", "b"}) Add(rates, worker, 0, 30);
  EXPECT_FALSE(rates.WhyFaulty("a"));
  // The verdict changes once another worker shows that the games can be played.
  Add(rates, "c", 24, 0);
  EXPECT_TRUE(rates.WhyFaulty("a"));
  EXPECT_TRUE(rates.WhyFaulty("b"));
}

TEST(FaultRates, BlamesALoneWorkerOfWhichHardlyAnythingComes) {
  FaultRates rates;
  Add(rates, "w", 12, 24);
  EXPECT_FALSE(rates.WhyFaulty("w"));
  Add(rates, "w", 0, 60);
  EXPECT_TRUE(rates.WhyFaulty("w"));
}

TEST(FaultRates, LooksAtTheLastGamesAlone) {
  FaultRates rates;
  Add(rates, "good", 64, 0);
  Add(rates, "late", 10'000, 32);
  EXPECT_FALSE(rates.WhyFaulty("late")) << "half of its last 64";
  rates.Add("late", true);
  EXPECT_TRUE(rates.WhyFaulty("late")) << "it worked for long, and does no more";
  rates.Forget("late");
  EXPECT_FALSE(rates.WhyFaulty("late"));
}

}  // namespace
}  // namespace joseki::coordinator
