#include "coordinator/scheduling/transfer_pace.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

TEST(TokenBucket, LetsABurstPassAndHoldsTheRestToTheRate) {
  absl::Time now = absl::UnixEpoch();
  TokenBucket bucket(100, 50, now);
  EXPECT_EQ(bucket.Take(50, now), absl::ZeroDuration());
  EXPECT_EQ(bucket.Take(10, now), absl::Milliseconds(100));
  EXPECT_EQ(bucket.Take(10, now), absl::Milliseconds(200)) << "who comes later waits longer";
  now += absl::Milliseconds(200);
  EXPECT_EQ(bucket.Take(0, now), absl::ZeroDuration());
  EXPECT_EQ(bucket.Take(1, now), absl::Milliseconds(10));
  // Unused tokens are not saved beyond the burst.
  now += absl::Hours(1);
  EXPECT_EQ(bucket.Take(50, now), absl::ZeroDuration());
  EXPECT_EQ(bucket.Take(1, now), absl::Milliseconds(10));
}

TEST(TokenBucket, WhatIsReturnedDelaysNobody) {
  const absl::Time now = absl::UnixEpoch();
  TokenBucket bucket(100, 50, now);
  bucket.Take(1000, now);
  bucket.Return(1000);
  EXPECT_EQ(bucket.Take(50, now), absl::ZeroDuration());
  bucket.Return(1000);
  EXPECT_EQ(bucket.Take(50, now), absl::ZeroDuration());
  EXPECT_EQ(bucket.Take(1, now), absl::Milliseconds(10)) << "never more than the burst";
}

TEST(TokenBucket, GivesNothingForAClockThatGoesBack) {
  const absl::Time now = absl::UnixEpoch() + absl::Hours(1);
  TokenBucket bucket(100, 50, now);
  EXPECT_EQ(bucket.Take(50, now), absl::ZeroDuration());
  EXPECT_EQ(bucket.Take(10, now - absl::Minutes(1)), absl::Milliseconds(100));
  EXPECT_EQ(bucket.Take(0, now), absl::Milliseconds(100));
}

// Many takers that wait as instructed: any second passes at most the rate plus a burst.
TEST(TokenBucket, KeepsTheRateWhoeverTakes) {
  Rng rng(1);
  absl::Time now = absl::UnixEpoch();
  TokenBucket bucket(1000, 100, now);
  std::vector<std::pair<absl::Time, double>> passed;
  for (int i = 0; i < 5000; ++i) {
    const double tokens = static_cast<double>(1 + rng.Below(100));
    passed.emplace_back(now + bucket.Take(tokens, now), tokens);
    now += absl::Microseconds(static_cast<int64_t>(rng.Below(60'000)));
  }
  std::sort(passed.begin(), passed.end());
  double in_window = 0;
  size_t first = 0;
  for (const auto& [at, tokens] : passed) {
    in_window += tokens;
    while (passed[first].first <= at - absl::Seconds(1)) in_window -= passed[first++].second;
    EXPECT_LE(in_window, 1000 + 100 + 100);
  }
}

TEST(StartDelay, SpreadsWorkersOverTheTimeThatAllTransfersTake) {
  Sha256 artefact{};
  const uint64_t size = 1'000'000;
  std::vector<absl::Duration> delays;
  for (int i = 0; i < 1000; ++i) {
    delays.push_back(StartDelay("worker-" + std::to_string(i), artefact, size, 1000, 50e6));
  }
  std::sort(delays.begin(), delays.end());
  EXPECT_GE(delays.front(), absl::ZeroDuration());
  EXPECT_LT(delays.back(), absl::Seconds(20));
  EXPECT_GT(delays[500], absl::Seconds(8));
  EXPECT_LT(delays[500], absl::Seconds(12));
  EXPECT_EQ(StartDelay("w", artefact, size, 1000, 50e6),
            StartDelay("w", artefact, size, 1000, 50e6));
  artefact[0] = 1;
  EXPECT_NE(StartDelay("w", artefact, size, 1000, 50e6), StartDelay("w", {}, size, 1000, 50e6))
      << "nobody is always last";
}

TEST(StartDelay, HoldsNobodyUpWithoutNeed) {
  EXPECT_EQ(StartDelay("w", {}, 1 << 20, 1, 1e6), absl::ZeroDuration());
  EXPECT_EQ(StartDelay("w", {}, 1 << 20, 1000, 0), absl::ZeroDuration());
  EXPECT_LE(StartDelay("w", {}, uint64_t{1} << 40, 100'000, 1), kLongestStartDelay);
}

}  // namespace
}  // namespace joseki::coordinator
