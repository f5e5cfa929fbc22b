#include "book/weighing.h"

#include <numeric>
#include <vector>

#include "base/problem.h"
#include "book/graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;

// The thesis's figure 3.2: 7g7f 2g2f 5g5f 2h5h 1g1f 9g9f 2h6h stay; 3i4h (4 games) and the seven
// moves whose counts are lost, each below 10, go.
TEST(NoiseFilter, LeavesTheThesissSevenFirstMoves) {
  const std::vector<int64_t> counts = {25554, 3564, 182, 105, 39, 26, 14, 4, 9, 7, 5, 3, 2, 1, 1};
  const int64_t position = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(NoiseFilter().Keeps(position, counts[i]), i < 7) << counts[i];
  }
}

TEST(NoiseFilter, BeginsAboveAHundredAndBelowTen) {
  const NoiseFilter filter;
  EXPECT_TRUE(filter.Keeps(100, 1));
  EXPECT_FALSE(filter.Keeps(101, 1));
  EXPECT_FALSE(filter.Keeps(101, 9));
  EXPECT_TRUE(filter.Keeps(101, 10));
}

TEST(NoiseFilter, IsReadFromText) {
  EXPECT_EQ(*ParseNoiseFilter("100/10"), NoiseFilter());
  EXPECT_EQ(*ParseNoiseFilter("0/2"), (NoiseFilter{0, 2}));
  for (const char* text : {"", "100", "/", "100/", "/10", "100/10/1", "-1/10", "100/+1", "100/1O",
                           " 100/10", "99999999999999999999/1"}) {
    const auto filter = ParseNoiseFilter(text);
    ASSERT_FALSE(filter.ok()) << text;
    EXPECT_EQ(ProblemOf(filter.status()).code, "bad_filter");
  }
}

// games include 1 draw and, for the others, 1 game without a result.
MoveHistory Mixed() {
  return {{.games = 6, .wins = 3, .draws = 1, .losses = 2},
          {.games = 13, .wins = 7, .draws = 1, .losses = 4}};
}

TEST(BookType, WeighsByTheThesissTable) {
  EXPECT_EQ(BaseWeight(BookType::kType1, Mixed()), 1);
  EXPECT_EQ(BaseWeight(BookType::kType2, Mixed()), 19);
  EXPECT_EQ(BaseWeight(BookType::kType3, Mixed()), 1);
  EXPECT_EQ(BaseWeight(BookType::kType4, Mixed()), 10);
  EXPECT_EQ(BaseWeight(BookType::kType5a, Mixed()), 3 * 10 + 6);
  EXPECT_EQ(BaseWeight(BookType::kType5b, Mixed()), 3 * 6 + 13);
  EXPECT_EQ(BaseWeight(BookType::kType5c, Mixed()), 5 * 3 + 2 * 2 + 3 * 7 + 4);
}

TEST(BookType, OnlyTypes3And4DropMovesThatNeverWon) {
  const MoveHistory lost = {{.games = 2, .losses = 2}, {.games = 1, .draws = 1}};
  EXPECT_EQ(BaseWeight(BookType::kType1, lost), 1);
  EXPECT_EQ(BaseWeight(BookType::kType2, lost), 3);
  EXPECT_EQ(BaseWeight(BookType::kType3, lost), std::nullopt);
  EXPECT_EQ(BaseWeight(BookType::kType4, lost), std::nullopt);
  EXPECT_EQ(BaseWeight(BookType::kType5a, lost), 2);
  EXPECT_EQ(BaseWeight(BookType::kType5b, lost), 7);
  EXPECT_EQ(BaseWeight(BookType::kType5c, lost), 4);
}

TEST(BookType, NeverWeighsMoreThanAGraphTakes) {
  const MoveHistory huge = {{.games = kMaxBaseWeight, .wins = kMaxBaseWeight}, {}};
  EXPECT_EQ(BaseWeight(BookType::kType5c, huge), kMaxBaseWeight);
}

TEST(BookType, HasAName) {
  EXPECT_THAT(BookTypeNames(),
              ElementsAre("type1", "type2", "type3", "type4", "type5a", "type5b", "type5c"));
  for (const std::string_view name : BookTypeNames()) EXPECT_EQ(Name(*BookTypeOf(name)), name);
  for (const char* name : {"", "type5", "type6", "Type1"})
    EXPECT_EQ(BookTypeOf(name), std::nullopt);
}

}  // namespace
}  // namespace joseki::book
