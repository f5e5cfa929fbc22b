#include "book/weights_delta.h"

#include <limits>
#include <string>
#include <vector>

#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/problem_code.h"

namespace joseki::book {
namespace {

using ::joseki::testing::CodeOf;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t AnyWeight(Rng& rng) {
  switch (rng.Below(5)) {
    case 0:
      return 0;
    case 1:
      return static_cast<int64_t>(rng.Next());
    case 2:
      return rng.Below(2) == 0 ? kLeast : kMost;
    default:
      return static_cast<int64_t>(rng.Below(4000)) - 2000;
  }
}

// Some of the weights, `percent` of them on average, are others now.
Weights Vary(const Weights& weights, uint64_t percent, Rng& rng) {
  Weights varied = weights;
  for (int64_t& weight : varied) {
    if (rng.Below(100) < percent) weight = AnyWeight(rng);
  }
  return varied;
}

TEST(WeightsDelta, LeadsFromAnyWeightsToAnyOthers) {
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    const uint64_t percents[] = {0, 1, 10, 50, 100};
    const Weights before = Vary(Weights(rng.Below(300)), 100, rng);
    const Weights after = Vary(before, percents[rng.Below(5)], rng);
    const auto edges = static_cast<uint32_t>(after.size());
    const std::string delta = EncodeWeightsDelta(before, after, 3, 5);
    const auto applied = ApplyWeightsDelta(before, delta, edges);
    ASSERT_TRUE(applied.ok()) << applied.status();
    EXPECT_EQ(*applied, after);
    const auto header = ReadWeightsDeltaHeader(delta);
    ASSERT_TRUE(header.ok());
    EXPECT_EQ(header->from, 3u);
    EXPECT_EQ(header->to, 5u);
    EXPECT_EQ(header->edges, edges);
    EXPECT_EQ(header->sha256, HashOf(after));
  }
}

TEST(WeightsDelta, FromVersionZeroStandsAlone) {
  const Weights after = {5, 0, -7, kMost, kLeast};
  const std::string delta = EncodeWeightsDelta({}, after, 0, 1);
  const auto applied = ApplyWeightsDelta({}, delta, 5);
  ASSERT_TRUE(applied.ok()) << applied.status();
  EXPECT_EQ(*applied, after);
}

TEST(WeightsDelta, MergesVersions) {
  Rng rng(11);
  std::vector<Weights> versions = {Weights(200)};
  for (int i = 0; i < 6; ++i) versions.push_back(Vary(versions.back(), 20, rng));
  Weights stepped = versions[1];
  for (uint32_t v = 1; v < 6; ++v) {
    stepped = *ApplyWeightsDelta(stepped,
                                 EncodeWeightsDelta(versions[v], versions[v + 1], v, v + 1), 200);
  }
  const std::string merged = EncodeWeightsDelta(versions[1], versions[6], 1, 6);
  EXPECT_EQ(*ApplyWeightsDelta(versions[1], merged, 200), stepped);
  EXPECT_EQ(stepped, versions[6]);
}

TEST(WeightsDelta, IsSmallWhereLittleHasChanged) {
  Rng rng(3);
  const Weights before(100'000);
  Weights after = before;
  for (int i = 0; i < 1000; ++i) after[rng.Below(after.size())] += 16'000;
  EXPECT_LT(EncodeWeightsDelta(before, after, 1, 2).size(), 2500u);
  EXPECT_LT(EncodeWeightsDelta(after, after, 1, 2).size(), 60u);
  // One byte a weight where each has moved by a few steps.
  for (int64_t& weight : after) weight += 16'000 * (static_cast<int64_t>(rng.Below(41)) - 20);
  EXPECT_LT(EncodeWeightsDelta(before, after, 1, 2).size(), 103'000u);
}

TEST(WeightsDelta, RefusesOtherWeightsThanItWasMadeFor) {
  const Weights before = {1, 2, 3};
  const std::string delta = EncodeWeightsDelta(before, Weights{1, 2, 4}, 1, 2);
  EXPECT_EQ(CodeOf(ApplyWeightsDelta(Weights{1, 2, 9}, delta, 3).status()), "bad_weights_delta");
  EXPECT_EQ(CodeOf(ApplyWeightsDelta(Weights{1, 2}, delta, 2).status()), "bad_weights_delta");
  EXPECT_EQ(CodeOf(ApplyWeightsDelta(Weights{1, 2}, delta, 3).status()), "bad_weights_delta");
}

TEST(WeightsDelta, RefusesWhateverIsDamaged) {
  Rng rng(5);
  const Weights before = Vary(Weights(60), 100, rng);
  for (const uint64_t percent : {10, 100}) {
    const Weights after = Vary(before, percent, rng);
    const std::string delta = EncodeWeightsDelta(before, after, 1, 2);
    for (size_t size = 0; size < delta.size(); ++size) {
      EXPECT_EQ(CodeOf(ApplyWeightsDelta(before, delta.substr(0, size), 60).status()),
                "bad_weights_delta");
    }
    EXPECT_EQ(CodeOf(ApplyWeightsDelta(before, delta + '\0', 60).status()), "bad_weights_delta");
    for (size_t at = 0; at < delta.size(); ++at) {
      std::string damaged = delta;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << rng.Below(8));
      const auto applied = ApplyWeightsDelta(before, damaged, 60);
      // Only its version numbers may change undetected: the hash does not cover them.
      if (applied.ok()) {
        EXPECT_TRUE(at >= 6 && at < 14) << at;
        EXPECT_EQ(*applied, after);
      }
    }
  }
}

TEST(WeightsDelta, RefusesNumbersThatAreNoDelta) {
  const Weights before = {1, 2, 3};
  const std::string header = EncodeWeightsDelta(before, before, 1, 2).substr(0, 50) + '\x01';
  const auto code = [&](const std::string& rest) {
    return CodeOf(ApplyWeightsDelta(before, header + rest, 3).status());
  };
  EXPECT_EQ(code(std::string(1, '\0')), "ok");
  EXPECT_EQ(code(""), "bad_weights_delta");  // no count
  EXPECT_EQ(CodeOf(ApplyWeightsDelta(before, header.substr(0, 50), 3).status()),
            "bad_weights_delta");                                          // no unit
  EXPECT_EQ(code(std::string("\x80\x00", 2)), "bad_weights_delta");        // not the shortest form
  EXPECT_EQ(code(std::string(10, '\xff') + '\x01'), "bad_weights_delta");  // over 64 bits
  EXPECT_EQ(code(std::string("\x01\x00\x00", 3)), "bad_weights_delta");    // no change
  EXPECT_EQ(code(std::string("\x01\x03\x02", 3)), "bad_weights_delta");    // edge 3 of 3
  EXPECT_EQ(code(std::string("\x02\x02\x02\x00\x02", 5)), "bad_weights_delta");
}

}  // namespace
}  // namespace joseki::book
