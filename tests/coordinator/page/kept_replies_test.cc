#include "coordinator/page/kept_replies.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

class KeptRepliesTest : public ::testing::Test {
 protected:
  // Number of times that the reply was made by then; making it takes `cost`.
  int Get(const std::string& key, const std::string& version,
          absl::Duration cost = absl::ZeroDuration()) {
    return replies_
        .Get(key, version,
             [&]() -> absl::StatusOr<Json> {
               clock_.Advance(cost);
               return Json(++made_);
             })
        .value()
        .get<int>();
  }

  testing::FakeClock clock_;
  int made_ = 0;
  KeptReplies replies_{clock_};
};

TEST_F(KeptRepliesTest, WhatHasNotChangedIsMadeOnce) {
  EXPECT_EQ(Get("run 1", "done"), 1);
  clock_.Advance(absl::Hours(1));
  EXPECT_EQ(Get("run 1", "done"), 1);
  EXPECT_EQ(Get("run 2", "done"), 2);
  EXPECT_EQ(Get("run 1", "more"), 3);
}

TEST_F(KeptRepliesTest, WhatChangesIsMadeAnewAsSeldomAsItIsDear) {
  EXPECT_EQ(Get("cheap", "1"), 1);
  clock_.Advance(KeptReplies::kFresh - absl::Seconds(1));
  EXPECT_EQ(Get("cheap", "2"), 1);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(Get("cheap", "2"), 2);
  EXPECT_EQ(Get("dear", "1", absl::Seconds(10)), 3);
  clock_.Advance(KeptReplies::kTimesCost * absl::Seconds(10) - absl::Seconds(1));
  EXPECT_EQ(Get("dear", "2"), 3);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(Get("dear", "2"), 4);
}

TEST_F(KeptRepliesTest, AClockThatGoesBackKeepsNothing) {
  EXPECT_EQ(Get("a", "1"), 1);
  clock_.Advance(-absl::Hours(1));
  EXPECT_EQ(Get("a", "2"), 2);
}

TEST_F(KeptRepliesTest, OneIsMadeAtATime) {
  EXPECT_EQ(Get("known", "1"), 1);
  clock_.Advance(absl::Minutes(1));
  const auto outer = replies_.Get("new", "1", [&]() -> absl::StatusOr<Json> {
    EXPECT_EQ(Get("known", "2"), 1) << "an older one is better than none";
    const auto inner = replies_.Get("other", "1", [] { return Json(0); });
    EXPECT_EQ(ProblemOf(inner.status()).code, "being_made");
    EXPECT_TRUE(absl::IsUnavailable(inner.status()));
    return Json("made");
  });
  EXPECT_EQ(outer.value(), "made");
  EXPECT_EQ(Get("known", "2"), 2);
}

TEST_F(KeptRepliesTest, WhatFailsIsNotKept) {
  const auto failed = replies_.Get(
      "a", "1", []() -> absl::StatusOr<Json> { return absl::NotFoundError("no such run"); });
  EXPECT_TRUE(absl::IsNotFound(failed.status()));
  EXPECT_EQ(Get("a", "1"), 1);
}

TEST_F(KeptRepliesTest, TheOldestGoesWhereThereAreManyOfThem) {
  for (size_t i = 0; i <= KeptReplies::kMost; ++i) {
    Get(absl::StrCat(i), "1");
    clock_.Advance(absl::Seconds(1));
  }
  EXPECT_EQ(Get("1", "1"), 2) << "the second";
  EXPECT_EQ(Get("0", "1"), static_cast<int>(KeptReplies::kMost) + 2) << "the first, made anew";
}

}  // namespace
}  // namespace joseki::coordinator
