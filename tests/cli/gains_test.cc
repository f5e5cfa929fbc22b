#include "cli/run/gains.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A match as coordinator::ProofJson tells it.
Json Match(const std::string& opponent, int64_t played_ms, Json elo, Json low, Json high,
           uint64_t limit = 400) {
  return {{"opponent", opponent}, {"limit", limit}, {"played_ms", played_ms},
          {"elo", elo},           {"elo_low", low}, {"elo_high", high}};
}

TEST(GainsTest, OneProofIsNoCourse) {
  EXPECT_THAT(GainsOf(Json::array(), false), IsEmpty());
  EXPECT_THAT(GainsOf(Json::array({Match("input", 1, 12, -3, 27)}), false), IsEmpty());
}

TEST(GainsTest, GoFromProofToProofAgainstEachOpponentAtEachLimit) {
  // The newest come first. A match of the input book is no gain, nor is one without a result.
  const Json proofs = Json::array({
      Match("input", 3'000, 31, 12, 50),
      Match("opponent-input", 3'000, 5, 1, 9),
      Match("bookless", 3'000, nullptr, nullptr, nullptr),
      Match("input", 3'000, 40, 10, 70, 4000),
      Match("input", 2'000, 12, -3, 27),
      Match("opponent-input", 2'000, 4, 1, 9),
      Match("bookless", 2'000, 7, 1, 13),
  });
  const std::vector<Gain> gains = GainsOf(proofs, false);
  ASSERT_THAT(gains, SizeIs(1));
  EXPECT_EQ(gains[0].against, "the input book at 400 nodes");
  EXPECT_EQ(gains[0].proofs[0].played_ms, 2'000);
  EXPECT_EQ(GainWords(gains[0]), "+12 +31; the last +31 Elo, between +12 and +50");
  EXPECT_EQ(GainsOf(proofs, true)[0].against, "the input book at 400 ms");
  EXPECT_THAT(GainsOf(proofs, false, Voice(Language::kJapanese, ""))[0].against,
              HasSubstr("元の定跡"));
}

TEST(GainsTest, AreDrawnWithoutBoundsWhereGamesAreTooFew) {
  const std::vector<Gain> gains =
      GainsOf(Json::array({Match("bookless", 1'500'000'000'000, 700, 300, nullptr),
                           Match("bookless", 1'400'000'000'000, -20, -50, 10)}),
              false);
  ASSERT_THAT(gains, SizeIs(1));
  const std::string svg = GainSvg(gains[0]);
  EXPECT_THAT(svg, HasSubstr("2014-05-13"));
  EXPECT_THAT(svg, HasSubstr("2017-07-14"));
  EXPECT_THAT(svg, HasSubstr("+700 Elo"));
  for (const char* const bad : {"nan", "inf"}) EXPECT_EQ(svg.find(bad), std::string::npos) << bad;
}

}  // namespace
}  // namespace joseki::cli
