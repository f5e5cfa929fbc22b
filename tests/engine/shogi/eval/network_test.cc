#include "engine/shogi/eval/network.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki::shogi {
namespace {

Weights SomeWeights() {
  Weights weights;
  weights.start[0] = -3;
  weights.everywhere[5] = 12345;
  weights.here[7] = -128;
  weights.balance[9] = -32768;
  weights.area[13] = 250;
  weights.safety[15] = -251;
  weights.output[11] = 127;
  weights.bias[1] = -1000000;
  weights.plain[20] = 1024;
  return weights;
}

std::string CodeOf(const std::string& bytes) {
  const auto weights = ReadWeights(bytes, "some.weights");
  if (weights.ok()) return "ok";
  const Problem problem = ProblemOf(weights.status());
  EXPECT_EQ(problem.file, "some.weights");
  return problem.code;
}

TEST(Weights, ComeBackAsTheyWereWritten) {
  const Weights weights = SomeWeights();
  const auto read = ReadWeights(WriteWeights(weights), "some.weights");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->start, weights.start);
  EXPECT_EQ(read->everywhere, weights.everywhere);
  EXPECT_EQ(read->here, weights.here);
  EXPECT_EQ(read->balance, weights.balance);
  EXPECT_EQ(read->area, weights.area);
  EXPECT_EQ(read->safety, weights.safety);
  EXPECT_EQ(read->output, weights.output);
  EXPECT_EQ(read->bias, weights.bias);
  EXPECT_EQ(read->plain, weights.plain);
}

// Bonanza's weights of a king that has entered were at their bounds, for want of such positions.
TEST(Weights, NoneThatIsBuiltInIsNearItsBound) {
  const auto bytes = ReadFile(JOSEKI_SOURCE_DIR "/engine/shogi/eval/learned.weights");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto weights = ReadWeights(*bytes, "learned.weights");
  ASSERT_TRUE(weights.ok()) << weights.status();
  constexpr int kBound = 127;  // of both, in the trainer
  constexpr size_t kOfSet = size_t{kInputs} * kWidth;
  const auto largest = [](auto begin, auto end) {
    int most = 0;
    for (; begin != end; ++begin) most = std::max(most, std::abs(static_cast<int>(*begin)));
    return most;
  };
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    const auto begin = weights->here.begin() + static_cast<ptrdiff_t>(bucket * kOfSet);
    const int most = largest(begin, begin + static_cast<ptrdiff_t>(kOfSet));
    EXPECT_GT(most, 0) << bucket << " was never learned";
    EXPECT_LT(most, kBound / 2) << bucket;
  }
  EXPECT_LT(largest(weights->output.begin(), weights->output.end()), kBound / 2);
}

TEST(Weights, WhatIsNotSoundIsRefusedByName) {
  const std::string sound = WriteWeights(SomeWeights());
  EXPECT_LE(sound.size(), size_t{8} << 20);
  EXPECT_EQ(CodeOf(sound), "ok");
  EXPECT_EQ(CodeOf(""), "bad_weights");
  EXPECT_EQ(CodeOf("something else"), "bad_weights");
  for (const size_t size : {size_t{8}, size_t{75}, size_t{76}, sound.size() - 1}) {
    EXPECT_EQ(CodeOf(sound.substr(0, size)), "weights_truncated") << size;
  }
  EXPECT_EQ(CodeOf(sound + "x"), "weights_truncated");
  std::string other = sound;
  other[8] = 2;
  EXPECT_EQ(CodeOf(other), "weights_version");
  other = sound;
  other[12] = static_cast<char>(other[12] + 1);
  EXPECT_EQ(CodeOf(other), "weights_shape");
  for (const size_t at : {size_t{44}, size_t{75}, size_t{76}, sound.size() - 1}) {
    other = sound;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_EQ(CodeOf(other), "weights_checksum") << at;
  }
  Weights weights;
  for (const int16_t output : {int16_t{-128}, int16_t{127}, int16_t{128}, int16_t{-129}}) {
    weights.output[3] = output;
    EXPECT_EQ(CodeOf(WriteWeights(weights)),
              output == -128 || output == 127 ? "ok" : "weights_range")
        << output;
  }
  EXPECT_FALSE(LoadNetwork("/no/such.weights").ok());
}

TEST(Weights, ThoseBuiltInAreSound) {
  EXPECT_EQ(BuiltInNetwork().sha256().size(), 64u);
  EXPECT_NE(*BuiltInNetwork().plain(0), 0);
}

TEST(Inputs, AreAllDifferentAndInRange) {
  std::set<int> seen;
  for (const Color owner : {kBlack, kWhite}) {
    for (const PieceType t : {kPawn, kLance, kKnight, kSilver, kGold, kBishop, kRook, kKing,
                              kProPawn, kHorse, kDragon}) {
      for (Square s = 0; s < kSquareCount; ++s) {
        seen.insert(PlacementInput(kBlack, false, MakePiece(owner, t), s));
      }
    }
    for (int t = kPawn; t <= kGold; ++t) {
      const int count = kFullSet[t];
      for (int nth = 1; nth <= count; ++nth) {
        seen.insert(HeldInput(kBlack, owner, static_cast<PieceType>(t), nth));
      }
    }
  }
  EXPECT_EQ(seen.size(), size_t{kInputs});
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), kInputs - 1);
}

TEST(Views, AreTheSameTurnedAndMirrored) {
  for (Square s = 0; s < kSquareCount; ++s) {
    const KingView view = ViewOf(kBlack, s);
    EXPECT_LT(view.bucket, kBuckets);
    EXPECT_LT(view.place, kKingPlaces - 1);
    EXPECT_EQ(view, ViewOf(kWhite, kSquareCount - 1 - s));
    const Square mirror = MakeSquare(10 - FileOf(s), RankOf(s));
    EXPECT_EQ(view.bucket, ViewOf(kBlack, mirror).bucket);
    EXPECT_EQ(view.place, ViewOf(kBlack, mirror).place);
    EXPECT_EQ(
        PlacementInput(kBlack, view.mirrored, MakePiece(kBlack, kKing), s),
        PlacementInput(kBlack, ViewOf(kBlack, mirror).mirrored, MakePiece(kBlack, kKing), mirror));
  }
  EXPECT_EQ(ViewOf(kBlack, kNoSquare), KingView());
}

}  // namespace
}  // namespace joseki::shogi
