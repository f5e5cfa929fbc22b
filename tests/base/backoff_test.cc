#include "base/backoff.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Backoff, DoublesItsCeilingUpToTheMost) {
  Backoff backoff({.first = absl::Seconds(1), .most = absl::Seconds(8)}, Rng(5));
  for (const int ceiling : {1, 2, 4, 8, 8, 8}) {
    const absl::Duration wait = backoff.Next();
    EXPECT_GT(wait, absl::ZeroDuration());
    EXPECT_LE(wait, absl::Seconds(ceiling));
  }
}

TEST(Backoff, StartsAgainAfterASuccess) {
  Backoff backoff({.first = absl::Seconds(1), .most = absl::Seconds(60)}, Rng(5));
  for (int i = 0; i < 6; ++i) backoff.Next();
  backoff.Reset();
  EXPECT_LE(backoff.Next(), absl::Seconds(1));
}

TEST(Backoff, TwoWorkersDoNotWaitAlike) {
  Backoff a({}, Rng(1));
  Backoff b({}, Rng(2));
  EXPECT_NE(a.Next(), b.Next());
}

}  // namespace
}  // namespace joseki
