#include "proto/server_tls.h"

#include <string>

#include "base/certificates/authority.h"
#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::joseki::testing::kNow;

constexpr absl::Duration kDay = absl::Hours(24);

class ServerTlsTest : public ::testing::Test {
 protected:
  std::string Code(const absl::StatusOr<bool>& taken) {
    if (!taken.ok()) return ProblemOf(taken.status()).code;
    return *taken ? "taken" : "same";
  }

  testing::TempFolder folder_;
  const certificates::Authority authority_ =
      certificates::Authority::Create(folder_ / "certs", kNow).value();
  const certificates::TlsFiles files_ = certificates::TlsFiles::In(authority_.folder());
};

TEST_F(ServerTlsTest, TakesARenewedCertificate) {
  const auto tls = ServerTls::Load(files_, kNow).value();
  EXPECT_EQ(tls->not_after(), kNow + certificates::Authority::kLife);
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same");
  const std::string before = tls->served().texts.certificate;
  ASSERT_TRUE(authority_.RenewServer(kNow, 500 * kDay).ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "taken");
  EXPECT_EQ(tls->not_after(), kNow + 500 * kDay);
  EXPECT_NE(tls->served().texts.certificate, before);
  EXPECT_EQ(tls->served().version, 2u);
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same");
}

TEST_F(ServerTlsTest, KeepsTheLastGoodOneAndSaysSoOnce) {
  const auto tls = ServerTls::Load(files_, kNow).value();
  const std::string good = tls->served().texts.certificate;
  ASSERT_TRUE(WriteFileAtomically(files_.key, certificates::MakeKey().value()).ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same") << "the certificate may come in a moment";
  EXPECT_EQ(Code(tls->Refresh(kNow)), "key_mismatch");
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same") << "it was told";
  EXPECT_EQ(tls->served().texts.certificate, good);
  ASSERT_TRUE(WriteFileAtomically(files_.certificate, "nonsense").ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same");
  EXPECT_EQ(Code(tls->Refresh(kNow)), "bad_certificate");
  ASSERT_TRUE(authority_.RenewServer(kNow, kDay).ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "taken");
}

TEST_F(ServerTlsTest, AKeyThatComesBeforeItsCertificateIsNoError) {
  const auto tls = ServerTls::Load(files_, kNow).value();
  const std::string old_certificate = ReadFile(files_.certificate).value();
  ASSERT_TRUE(authority_.RenewServer(kNow, kDay).ok());
  const std::string certificate = ReadFile(files_.certificate).value();
  ASSERT_TRUE(WriteFileAtomically(files_.certificate, old_certificate).ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "same");
  ASSERT_TRUE(WriteFileAtomically(files_.certificate, certificate).ok());
  EXPECT_EQ(Code(tls->Refresh(kNow)), "taken");
}

TEST_F(ServerTlsTest, RefusesFilesThatAreNoServers) {
  EXPECT_EQ(ProblemOf(ServerTls::Load({.authority = files_.authority}, kNow).status()).code,
            "tls_files");
  const std::string client =
      authority_.Issue(certificates::Role::kReader, "anna", kNow, kDay).value();
  EXPECT_EQ(ProblemOf(ServerTls::Load(certificates::TlsFiles::In(client), kNow).status()).code,
            "certificate_not_trusted");
  EXPECT_EQ(ProblemOf(ServerTls::Load(files_, kNow + 500 * kDay).status()).code,
            "certificate_expired");
}

}  // namespace
}  // namespace joseki
