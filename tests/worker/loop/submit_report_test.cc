#include "worker/loop/submit_report.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::Eq;
using ::testing::Optional;

std::vector<GameVerdict> Verdicts(const std::vector<Verdict>& verdicts) {
  std::vector<GameVerdict> all;
  for (const Verdict verdict : verdicts) all.push_back({.verdict = verdict, .reason = ""});
  return all;
}

TEST(SubmitReport, SaysTheFirstSubmissionAtOnceAndSumsUpTheRest) {
  SubmitReport report;
  const absl::Time start = absl::UnixEpoch();
  EXPECT_EQ(report.Due(start), std::nullopt);
  report.Add(Verdicts({Verdict::kAccepted, Verdict::kAccepted, Verdict::kDuplicate}));
  EXPECT_THAT(report.Due(start), Optional(Eq("submitted calls=1 games=3 accepted=2 duplicate=1")));
  for (int second = 1; second < 60; ++second) {
    report.Add(Verdicts({Verdict::kAccepted}));
    EXPECT_EQ(report.Due(start + absl::Seconds(second)), std::nullopt);
  }
  report.Add(Verdicts({Verdict::kRejected}));
  EXPECT_THAT(report.Due(start + absl::Seconds(60)),
              Optional(Eq("submitted calls=60 games=60 accepted=59 rejected=1")));
  EXPECT_EQ(report.Due(start + absl::Seconds(120)), std::nullopt);
}

TEST(SubmitReport, TheEndSaysWhatNoLineHas) {
  SubmitReport report;
  EXPECT_EQ(report.Rest(), std::nullopt);
  report.Add(Verdicts({Verdict::kStaleAccepted}));
  EXPECT_THAT(report.Rest(), Optional(Eq("submitted calls=1 games=1 stale_accepted=1")));
  EXPECT_EQ(report.Rest(), std::nullopt);
}

}  // namespace
}  // namespace joseki::worker
