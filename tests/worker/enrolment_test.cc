#include "worker/enrolment.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "base/trust/authority.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::worker {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

class EnrolmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        WriteFileAtomically(
            token_,
            authority_.MakeTokens("node", 1, kNow, trust::Authority::kTokenLife).value().front())
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
  const trust::Authority authority_ = trust::Authority::Create(folder_ / "certs", kNow).value();
  const std::string token_ = folder_ / "a.token";
  const std::string tls_ = folder_ / "node/tls";
  const trust::TlsFiles files_ = trust::TlsFiles::In(tls_);
  std::vector<Enrolment> asked_;
};

TEST_F(EnrolmentTest, GetsACertificateForAKeyOfItsOwn) {
  const absl::Status status = Enroll([&](const Enrolment& asked) { return Answer(asked); });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_TRUE(trust::CheckCertificate(*ReadFile(files_.authority), *ReadFile(files_.certificate),
                                      *ReadFile(files_.key), trust::End::kClient, kNow, "f")
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

}  // namespace
}  // namespace joseki::worker
