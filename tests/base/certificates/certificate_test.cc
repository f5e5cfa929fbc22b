#include "base/certificates/certificate.h"

#include <string>
#include <vector>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/problem_code.h"

namespace joseki::certificates {
namespace {

using ::joseki::testing::CodeOf;
using ::joseki::testing::kNow;

const Validity kValid{kNow - absl::Hours(1), kNow + absl::Hours(1)};

class CertificateTest : public ::testing::Test {
 protected:
  std::string Client(const Signer& authority, Validity validity = kValid) {
    return SignClient(authority, key_, identity_, validity).value();
  }
  std::string Verdict(const Signer& authority, const std::string& certificate, End end,
                      const std::string& key) {
    return CodeOf(CheckCertificate(authority.certificate, certificate, key, end, kNow, "f"));
  }

  const Signer authority_ = MakeAuthority(kValid).value();
  const std::string key_ = MakeKey().value();
  const Identity identity_{Role::kWorker, "node-1", MakeSerial().value()};
};

TEST_F(CertificateTest, SaysWhoItsHolderIs) {
  const auto read = ReadCertificate(Client(authority_), "f");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->identity, identity_);
  EXPECT_FALSE(read->authority);
  EXPECT_EQ(read->not_before, kValid.not_before);
  EXPECT_EQ(read->not_after, kValid.not_after);
}

TEST_F(CertificateTest, AServerOrAnAuthorityIsNobody) {
  const auto server = ReadCertificate(SignServer(authority_, key_, kValid).value(), "f");
  ASSERT_TRUE(server.ok());
  EXPECT_FALSE(server->identity);
  const auto authority = ReadCertificate(authority_.certificate, "f");
  ASSERT_TRUE(authority.ok());
  EXPECT_FALSE(authority->identity);
  EXPECT_TRUE(authority->authority);
}

TEST_F(CertificateTest, IsTrustedForItsOwnEndAlone) {
  const std::string client = Client(authority_);
  const std::string server = SignServer(authority_, key_, kValid).value();
  EXPECT_EQ(Verdict(authority_, client, End::kClient, key_), "ok");
  EXPECT_EQ(Verdict(authority_, server, End::kServer, key_), "ok");
  EXPECT_EQ(Verdict(authority_, client, End::kServer, key_), "certificate_not_trusted");
  EXPECT_EQ(Verdict(authority_, server, End::kClient, key_), "certificate_not_trusted");
}

TEST_F(CertificateTest, IsTrustedWhileItIsValid) {
  EXPECT_EQ(Verdict(authority_, Client(authority_, {kNow - absl::Hours(2), kNow - absl::Hours(1)}),
                    End::kClient, key_),
            "certificate_expired");
  EXPECT_EQ(Verdict(authority_, Client(authority_, {kNow + absl::Hours(1), kNow + absl::Hours(2)}),
                    End::kClient, key_),
            "certificate_not_yet_valid");
}

TEST_F(CertificateTest, SaysWhoseCertificateHasEnded) {
  const auto found = [&](Validity authority, Validity holder) {
    const Signer signer = MakeAuthority(authority).value();
    return ProblemOf(CheckCertificate(signer.certificate, Client(signer, holder), key_,
                                      End::kClient, kNow, "f"))
        .found;
  };
  const Validity over{kNow - absl::Hours(3), kNow - absl::Hours(2)};
  const Validity ahead{kNow + absl::Hours(4), kNow + absl::Hours(5)};
  EXPECT_EQ(found(over, kValid), "an authority's certificate that ended 2027-01-15T06:00:00Z");
  EXPECT_EQ(found(ahead, kValid), "an authority's certificate that begins 2027-01-15T12:00:00Z");
  EXPECT_EQ(found(kValid, over), "a certificate that ended 2027-01-15T06:00:00Z");
  EXPECT_EQ(found(kValid, ahead), "a certificate that begins 2027-01-15T12:00:00Z");
}

TEST_F(CertificateTest, NeedsTheAuthorityAndTheKey) {
  const Signer other = MakeAuthority(kValid).value();
  EXPECT_EQ(Verdict(other, Client(authority_), End::kClient, key_), "certificate_not_trusted");
  EXPECT_EQ(Verdict(authority_, Client(authority_), End::kClient, MakeKey().value()),
            "key_mismatch");
  EXPECT_EQ(Verdict(authority_, Client(authority_), End::kClient, "no key"), "key_mismatch");
}

// A holder of a certificate cannot sign further ones.
TEST_F(CertificateTest, AHolderIsNoAuthority) {
  const Signer holder{Client(authority_), key_};
  const auto forged = SignClient(holder, MakeKey().value(), identity_, kValid);
  ASSERT_TRUE(forged.ok()) << forged.status();
  EXPECT_EQ(Verdict(authority_, *forged, End::kClient, ""), "certificate_not_trusted");
  EXPECT_EQ(Verdict(holder, *forged, End::kClient, ""), "certificate_not_trusted");
}

TEST_F(CertificateTest, ARequestGetsACertificateForItsKey) {
  const std::string request = MakeRequest(key_).value();
  const auto signed_one = SignRequest(authority_, request, identity_, kValid);
  ASSERT_TRUE(signed_one.ok()) << signed_one.status();
  EXPECT_EQ(Verdict(authority_, *signed_one, End::kClient, key_), "ok");
  EXPECT_EQ(ReadCertificate(*signed_one, "f")->identity, identity_);
  EXPECT_EQ(KeyOfRequest(request).value(), KeyOfRequest(MakeRequest(key_).value()).value());
  EXPECT_NE(KeyOfRequest(request).value(),
            KeyOfRequest(MakeRequest(MakeKey().value()).value()).value());
}

TEST_F(CertificateTest, RefusesWhatIsNoRequest) {
  std::string damaged = MakeRequest(key_).value();
  const size_t middle = damaged.size() / 2;
  damaged[middle] = damaged[middle] == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string(), std::string("text"), damaged, key_}) {
    EXPECT_EQ(CodeOf(KeyOfRequest(text).status()), "bad_request");
    EXPECT_EQ(CodeOf(SignRequest(authority_, text, identity_, kValid).status()), "bad_request");
  }
}

TEST_F(CertificateTest, NoProblemShowsAKey) {
  for (const absl::Status& status :
       {CheckCertificate(authority_.certificate, Client(authority_), authority_.key, End::kClient,
                         kNow, "f"),
        ReadCertificate(key_, "f").status(), KeyOfRequest(key_).status()}) {
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.ToString().find("PRIVATE"), std::string::npos) << status;
  }
}

TEST(IdentityTest, GoesThroughAUri) {
  const Identity identity{Role::kOperator, "anna.b_c-9", std::string(32, 'a')};
  EXPECT_EQ(UriOf(identity), "joseki://operator/anna.b_c-9/" + std::string(32, 'a'));
  EXPECT_EQ(IdentityOf(UriOf(identity)), identity);
}

TEST(IdentityTest, IsReadStrictly) {
  const std::string serial(32, 'a');
  for (const std::string& uri : std::vector<std::string>{
           std::string(), "joseki://worker/node/" + serial + "0",
           "joseki://worker/node/" + serial + "/", "joseki://worker//" + serial,
           "joseki://worker/../" + serial, "joseki://root/node/" + serial,
           "http://worker/node/" + serial, std::string("joseki://worker/node"),
           "joseki://Worker/node/" + serial, "joseki://worker/no de/" + serial,
           "joseki://worker/node/" + std::string(32, 'A'),
           "joseki://worker/" + std::string(65, 'n') + "/" + serial}) {
    EXPECT_FALSE(IdentityOf(uri)) << uri;
  }
}

}  // namespace
}  // namespace joseki::certificates
