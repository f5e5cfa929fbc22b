#include "base/rng.h"

#include <set>

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Rng, IsSplitMix64) {
  // The published first outputs for seed 1234567.
  Rng rng(1234567);
  EXPECT_EQ(rng.Next(), 6457827717110365317u);
  EXPECT_EQ(rng.Next(), 3203168211198807973u);
  EXPECT_EQ(rng.Next(), 9817491932198370423u);
}

TEST(Rng, StaysBelowItsBound) {
  Rng rng(1);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(rng.Below(7));
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_EQ(*seen.rbegin(), 6u);
  EXPECT_EQ(rng.Below(0), 0u);
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.Unit();
    EXPECT_GE(x, 0);
    EXPECT_LT(x, 1);
  }
}

TEST(Rng, SplitsIntoStreamsThatDiffer) {
  const Rng parent(9);
  std::set<uint64_t> firsts;
  for (uint64_t label = 0; label < 1000; ++label) firsts.insert(parent.Split(label).Next());
  EXPECT_EQ(firsts.size(), 1000u);
  EXPECT_EQ(parent.Split(3).Next(), parent.Split(3).Next());
}

}  // namespace
}  // namespace joseki
