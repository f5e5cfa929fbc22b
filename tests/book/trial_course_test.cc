#include "book/tuning/trial_course.h"

#include <cmath>

#include "gtest/gtest.h"

namespace joseki::book {
namespace {

TEST(TrialCourse, SaysNothingBeforeThereAreEnough) {
  TrialCourse course;
  for (size_t i = 1; i < TrialCourse::kRecent; ++i) course.Add(1, 0);
  EXPECT_FALSE(course.Recent());
  EXPECT_TRUE(course.Parts(10).empty());
  course.Add(1, 0);
  ASSERT_TRUE(course.Recent());
  EXPECT_EQ(course.Recent()->score, 1);
  EXPECT_EQ(course.Recent()->error, 0);
  EXPECT_EQ(course.Parts(10).size(), 1u);
}

TEST(TrialCourse, HasPartsOfEquallyManyTrials) {
  TrialCourse course;
  // Two parts and a half: the first is lost, what comes after is won every other time.
  const size_t trials = 5 * TrialCourse::kRecent / 2;
  for (size_t i = 0; i < trials; ++i) course.Add(i < trials / 2 ? 0 : i % 2, 0);
  const auto parts = course.Parts(10);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].trials + parts[1].trials, trials);
  EXPECT_EQ(parts[0].score, 0);
  EXPECT_NEAR(parts[1].score, 0.5, 0.01);
  EXPECT_NEAR(parts[1].error, 0.5 / std::sqrt(parts[1].trials), 1e-4);
  EXPECT_EQ(course.Parts(1).size(), 1u);
  EXPECT_NEAR(course.Recent()->score, 0.5, 1e-9);
}

TEST(TrialCourse, LeavesOutWhoIsDistrusted) {
  TrialCourse course;
  for (size_t i = 0; i < 2 * TrialCourse::kRecent; ++i) course.Add(i % 2, i % 2);
  course.Distrust([](uint32_t source) { return source == 1; });
  EXPECT_EQ(course.Recent()->score, 0);
  course.Distrust([](uint32_t) { return false; });
  EXPECT_EQ(course.Recent()->score, 0.5);
}

}  // namespace
}  // namespace joseki::book
