#include "worker/enrolment.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/certificates/authority.h"
#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/temp_folder.h"
#include "worker/mistrust.h"

namespace joseki::worker {
namespace {

using ::joseki::testing::kNow;

class EnrolmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        WriteFileAtomically(
            token_, authority_.MakeTokens("node", 1, kNow, certificates::Authority::kTokenLife)
                        .value()
                        .front())
            .ok());
  }
  absl::StatusOr<std::string> Answer(const Enrolment& asked) {
    asked_.push_back(asked);
    return authority_.Enroll(asked.secret, asked.worker, asked.request, kNow);
  }
  absl::Status Enroll(const Enroller& enroller) {
    return EnsureEnrolled(tls_, token_, "node", enroller);
  }

  joseki::testing::TempFolder folder_;
  const certificates::Authority authority_ =
      certificates::Authority::Create(folder_ / "certs", kNow).value();
  const std::string token_ = folder_ / "a.token";
  const std::string tls_ = folder_ / "node/tls";
  const certificates::TlsFiles files_ = certificates::TlsFiles::In(tls_);
  std::vector<Enrolment> asked_;
};

TEST_F(EnrolmentTest, GetsACertificateForAKeyOfItsOwn) {
  const absl::Status status = Enroll([&](const Enrolment& asked) { return Answer(asked); });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_TRUE(certificates::CheckCertificate(*ReadFile(files_.authority),
                                             *ReadFile(files_.certificate), *ReadFile(files_.key),
                                             certificates::End::kClient, kNow, "f")
                  .ok());
  struct stat info {};
  ASSERT_EQ(stat(files_.key.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].authority_file, files_.authority);
  EXPECT_EQ(asked_[0].request.find("PRIVATE"), std::string::npos);
}

TEST_F(EnrolmentTest, HasNothingToDoWithACertificate) {
  const Enroller enroller = [&](const Enrolment& asked) { return Answer(asked); };
  ASSERT_TRUE(Enroll(enroller).ok());
  std::filesystem::remove(token_);
  EXPECT_TRUE(Enroll(enroller).ok());
  EXPECT_EQ(asked_.size(), 1U);
}

TEST_F(EnrolmentTest, AsksAgainWithTheSameKeyAfterALostAnswer) {
  const absl::Status lost = Enroll([&](const Enrolment& asked) -> absl::StatusOr<std::string> {
    EXPECT_TRUE(Answer(asked).ok());
    return absl::UnavailableError("the line was cut");
  });
  EXPECT_TRUE(absl::IsUnavailable(lost)) << lost;
  EXPECT_FALSE(std::filesystem::exists(files_.certificate));
  const absl::Status status = Enroll([&](const Enrolment& asked) { return Answer(asked); });
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(EnrolmentTest, WritesNoCertificateThatIsNone) {
  const absl::Status status =
      Enroll([](const Enrolment&) -> absl::StatusOr<std::string> { return "certificate"; });
  EXPECT_EQ(ProblemOf(status).code, "bad_certificate");
  EXPECT_FALSE(std::filesystem::exists(files_.certificate));
}

TEST_F(EnrolmentTest, NeedsAToken) {
  ASSERT_TRUE(WriteFileAtomically(token_, "nothing").ok());
  const absl::Status status = Enroll([&](const Enrolment& asked) { return Answer(asked); });
  EXPECT_EQ(ProblemOf(status).code, "bad_token");
  EXPECT_FALSE(std::filesystem::exists(tls_));
}

// A token of another cluster: its coordinator is never going to be ours.
TEST(EnrolAtLastTest, EndsWhereTheCoordinatorIsAnotherClusters) {
  const absl::Status untrusted = MakeProblem({.code = "coordinator_not_trusted", .found = "x"},
                                             absl::StatusCode::kUnavailable);
  int attempts = 0;
  std::vector<absl::Duration> waits;
  const auto pause = [&](const absl::Status&, absl::Duration wait) {
    waits.push_back(wait);
    return waits.size() < 100;
  };
  const absl::Status status = EnrolAtLast(
      [&] {
        ++attempts;
        return untrusted;
      },
      Backoff({}, Rng(1)), pause);
  EXPECT_EQ(ProblemOf(status).code, "coordinator_not_trusted");
  EXPECT_EQ(attempts, Mistrust::kMost);
  // One that cannot be reached is asked for as long as we may, and one that answers ends it.
  waits.clear();
  EXPECT_TRUE(absl::IsCancelled(
      EnrolAtLast([] { return absl::UnavailableError("nobody"); }, Backoff({}, Rng(1)), pause)));
  EXPECT_EQ(waits.size(), 100u);
  EXPECT_LE(*std::max_element(waits.begin(), waits.end()), absl::Minutes(1));
  EXPECT_TRUE(absl::IsPermissionDenied(EnrolAtLast(
      [] { return absl::PermissionDeniedError("bad_token"); }, Backoff({}, Rng(1)), pause)));
}

}  // namespace
}  // namespace joseki::worker
