#include "cli/run/course.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;

TEST(CourseTest, ARunWithoutTrialsHasNone) {
  EXPECT_EQ(CourseWords({}), "");
  EXPECT_EQ(CourseSvg({}), "");
  EXPECT_TRUE(CourseJson({}).empty());
}

TEST(CourseTest, IsToldInElo) {
  const Course course = {{.trials = 300, .score = 0.5, .error = 0.01},
                         {.trials = 301, .score = 0.6, .error = 0.01}};
  EXPECT_EQ(CourseWords(course), "+0 +70 Elo in 2 equal parts of 601 trials, +- 14 the last");
  const Json json = CourseJson(course);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["trials"], 301);
  EXPECT_NEAR(json[1]["elo"].get<double>(), 70.4, 0.1);
}

TEST(CourseTest, IsDrawnWithinItsFrame) {
  // All trials lost, and won: their Elo is not bounded.
  const std::string svg =
      CourseSvg({{.trials = 300, .score = 0, .error = 0}, {.trials = 300, .score = 1, .error = 0}});
  EXPECT_THAT(svg, HasSubstr("<polyline"));
  EXPECT_THAT(svg, HasSubstr("600 trials"));
  for (const char* const bad : {"nan", "inf"}) EXPECT_EQ(svg.find(bad), std::string::npos) << bad;
}

}  // namespace
}  // namespace joseki::cli
