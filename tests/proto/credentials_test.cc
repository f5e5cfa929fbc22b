#include "proto/credentials.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/time/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::joseki::testing::kNow;

const certificates::Validity kValid{kNow - absl::Hours(1), kNow + absl::Hours(1)};

class CredentialsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const certificates::Signer authority = certificates::MakeAuthority(kValid).value();
    const std::string key = certificates::MakeKey().value();
    Write(files_.authority, authority.certificate);
    Write(files_.key, key);
    Write(files_.certificate, certificates::SignClient(authority, key, identity_, kValid).value());
    server_.authority = files_.authority;
    server_.key = files_.key;
    server_.certificate = folder_ / "server.pem";
    Write(server_.certificate, certificates::SignServer(authority, key, kValid).value());
  }
  static void Write(const std::string& path, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(path, text).ok());
  }

  testing::TempFolder folder_;
  certificates::TlsFiles files_ = certificates::TlsFiles::In(folder_.path().string());
  certificates::TlsFiles server_;
  const certificates::Identity identity_{certificates::Role::kReader, "anna",
                                         certificates::MakeSerial().value()};
};

TEST_F(CredentialsTest, AClientKnowsWhoItIs) {
  const auto tls = MakeClientTls(files_, kNow);
  ASSERT_TRUE(tls.ok()) << tls.status();
  EXPECT_TRUE(tls->secure);
  EXPECT_NE(tls->credentials, nullptr);
  EXPECT_EQ(tls->identity, identity_);
}

TEST_F(CredentialsTest, WithoutFilesItSpeaksInClear) {
  const auto tls = MakeClientTls({}, kNow);
  ASSERT_TRUE(tls.ok()) << tls.status();
  EXPECT_FALSE(tls->secure);
  EXPECT_NE(tls->credentials, nullptr);
}

TEST_F(CredentialsTest, AnAuthorityAloneIsEnoughForAClientOnly) {
  const auto tls = MakeClientTls({.authority = files_.authority}, kNow);
  ASSERT_TRUE(tls.ok()) << tls.status();
  EXPECT_TRUE(tls->secure);
  EXPECT_FALSE(tls->identity);
}

TEST_F(CredentialsTest, ACertificateServesItsOwnEnd) {
  EXPECT_TRUE(ReadTls(server_, certificates::End::kServer, kNow).ok());
  EXPECT_EQ(ProblemOf(ReadTls(files_, certificates::End::kServer, kNow).status()).code,
            "certificate_not_trusted");
  EXPECT_EQ(ProblemOf(MakeClientTls(server_, kNow).status()).code, "certificate_not_trusted");
}

TEST_F(CredentialsTest, SaysWhatIsWrongBeforeItConnects) {
  const auto code = [](const certificates::TlsFiles& files, absl::Time now) {
    const absl::Status status = MakeClientTls(files, now).status();
    EXPECT_FALSE(status.ok());
    return ProblemOf(status).code;
  };
  EXPECT_EQ(code(files_, kNow + absl::Hours(2)), "certificate_expired");
  EXPECT_EQ(code(files_, kNow - absl::Hours(2)), "certificate_not_yet_valid");
  EXPECT_EQ(code({.certificate = files_.certificate, .key = files_.key}, kNow), "tls_files");
  EXPECT_EQ(code({.authority = files_.authority, .certificate = files_.certificate}, kNow),
            "tls_files");
  certificates::TlsFiles missing = files_;
  missing.key = folder_ / "nowhere.pem";
  const absl::Status status = MakeClientTls(missing, kNow).status();
  EXPECT_EQ(ProblemOf(status).file, missing.key);
  Write(files_.key, certificates::MakeKey().value());
  EXPECT_EQ(code(files_, kNow), "key_mismatch");
  Write(files_.authority, "text");
  EXPECT_EQ(code(files_, kNow), "bad_certificate");
}

// The value of an integer argument; nothing if it is not set.
std::optional<int> ArgumentOf(const grpc::ChannelArguments& arguments, std::string_view name) {
  const grpc_channel_args all = arguments.c_channel_args();
  for (size_t i = 0; i < all.num_args; ++i) {
    if (all.args[i].key == name && all.args[i].type == GRPC_ARG_INTEGER) {
      return all.args[i].value.integer;
    }
  }
  return std::nullopt;
}

TEST_F(CredentialsTest, ChannelsHaveOneLayerOfRetriesAndNoProxyUnlessAskedFor) {
  certificates::TlsFiles files = files_;
  for (const bool http_proxy : {false, true}) {
    files.http_proxy = http_proxy;
    const grpc::ChannelArguments arguments =
        ChannelArgumentsFor(MakeClientTls(files, kNow).value());
    EXPECT_EQ(ArgumentOf(arguments, GRPC_ARG_ENABLE_HTTP_PROXY), http_proxy ? 1 : 0);
    EXPECT_EQ(ArgumentOf(arguments, GRPC_ARG_ENABLE_RETRIES), 0);
    EXPECT_EQ(ArgumentOf(arguments, GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION), 1);
    EXPECT_EQ(ArgumentOf(arguments, GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS), 1);
    // The server takes a ping every 10 s.
    EXPECT_GT(ArgumentOf(arguments, GRPC_ARG_KEEPALIVE_TIME_MS), 10'000);
  }
}

// The library's text about an address tells a user nothing new.
TEST_F(CredentialsTest, AnUnansweredCallSaysWhatItDiedOf) {
  const auto found = [](const char* said) {
    const absl::Status told =
        StatusOfCall(grpc::Status(grpc::StatusCode::UNAVAILABLE, said), "here:1", /*secure=*/false);
    EXPECT_EQ(ProblemOf(told).file, "here:1");
    return ProblemOf(told).found;
  };
  EXPECT_EQ(found("failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: "
                  "Failed to connect to remote host: Connection refused"),
            "nobody who listens there");
  EXPECT_EQ(found("Socket closed"), "a connection that was closed");
  EXPECT_EQ(found("DNS resolution failed for here:1: UNKNOWN: Name or service not known"),
            "no machine of that name");
  EXPECT_EQ(found("nothing that is known"), "nothing that is known");
}

// A coordinator that hangs takes connections and answers nothing.
TEST_F(CredentialsTest, ACallOutOfTimeIsUnreachable) {
  const grpc::Status late(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded");
  const absl::Status told = StatusOfCall(late, "here:1", /*secure=*/false);
  EXPECT_TRUE(absl::IsDeadlineExceeded(told)) << "callers try again by this";
  EXPECT_EQ(ProblemOf(told).code, "unreachable");
  EXPECT_EQ(ProblemOf(told).file, "here:1");
  EXPECT_EQ(ProblemOf(told).found, "no answer in time");
  EXPECT_FALSE(ProblemOf(told).expected.empty());
}

}  // namespace
}  // namespace joseki
