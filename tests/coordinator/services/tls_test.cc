// Tests whom a coordinator with TLS admits, with real certificates over real connections.

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "base/certificates/authority.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/problem.h"
#include "coordinator/coordinator.h"
#include "coordinator/services/server.h"
#include "coordinator/services/server_door.h"
#include "coordinator/services/server_health.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "joseki/v1/artefact.grpc.pb.h"
#include "joseki/v1/enroll.grpc.pb.h"
#include "joseki/v1/operator.grpc.pb.h"
#include "joseki/v1/reader.grpc.pb.h"
#include "joseki/v1/worker.grpc.pb.h"
#include "proto/credentials.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using certificates::Authority;
using certificates::Identity;
using certificates::Role;
using certificates::TlsFiles;
using ::joseki::testing::CodeOf;
using ::testing::HasSubstr;

constexpr absl::Duration kLife = absl::Hours(24);

// Refusals at the door carry no details, only a message.
void ExpectRefused(const absl::Status& status, absl::StatusCode code, const std::string& word) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(word));
}

class TlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto coordinator = Coordinator::Start(
        {.db_path = folder_ / "book.sqlite", .acquire_wait = absl::Minutes(5)}, rules_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    StartServer();
  }

  void StartServer() {
    auto server = Server::Start({.listen = "127.0.0.1:0",
                                 .db_path = folder_ / "book.sqlite",
                                 .tls = TlsFiles::In(authority_.folder()),
                                 .revocations = authority_.folder() + "/revoked",
                                 .authority = authority_.folder(),
                                 .tls_every = absl::Milliseconds(5),
                                 .connections = {.hello = hello_}},
                                *coordinator_, rules_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  TlsFiles FilesOf(Role role, const std::string& name) {
    return TlsFiles::In(authority_.Issue(role, name, absl::Now(), kLife).value());
  }

  // Connections that check nothing of their own certificate before they show it.
  static std::shared_ptr<grpc::Channel> Unchecked(const std::string& address,
                                                  const std::string& authority,
                                                  const std::string& certificate,
                                                  const std::string& key) {
    ClientTls tls;
    tls.secure = true;
    tls.credentials = grpc::SslCredentials({authority, key, certificate});
    return grpc::CreateCustomChannel(address, tls.credentials, ChannelArgumentsFor(tls));
  }
  std::shared_ptr<grpc::Channel> ChannelOf(const TlsFiles& files) {
    const ClientTls tls = MakeClientTls(files, absl::Now()).value();
    return grpc::CreateCustomChannel(server_->address(), tls.credentials, ChannelArgumentsFor(tls));
  }

  // One unary call with a deadline.
  template <typename Stub, typename Request, typename Response>
  absl::Status Call(Stub& stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
    return StatusOfCall((stub.*method)(&context, request, &response), server_->address(), true);
  }
  absl::Status GetStatus(const std::shared_ptr<grpc::Channel>& channel) {
    v1::ReaderService::Stub stub(channel);
    v1::Status response;
    return Call(stub, &v1::ReaderService::Stub::GetStatus, v1::GetStatusRequest(), response);
  }
  absl::Status Drain(const std::shared_ptr<grpc::Channel>& channel) {
    v1::OperatorService::Stub stub(channel);
    v1::DrainResponse response;
    return Call(stub, &v1::OperatorService::Stub::Drain, v1::DrainRequest(), response);
  }
  absl::StatusOr<uint64_t> Join(const std::shared_ptr<grpc::Channel>& channel,
                                const std::string& worker) {
    v1::WorkerService::Stub stub(channel);
    v1::JoinRequest request;
    request.set_worker(worker);
    request.set_protocol(1);
    request.set_slots(1);
    v1::JoinResponse response;
    const absl::Status status = Call(stub, &v1::WorkerService::Stub::Join, request, response);
    if (!status.ok()) return status;
    return response.session();
  }
  absl::Status Beat(const std::shared_ptr<grpc::Channel>& channel, uint64_t session) {
    v1::WorkerService::Stub stub(channel);
    v1::BeatRequest request;
    request.set_session(session);
    v1::BeatResponse response;
    return Call(stub, &v1::WorkerService::Stub::Beat, request, response);
  }
  absl::Status GetManifest(const std::shared_ptr<grpc::Channel>& channel,
                           const std::string& worker) {
    v1::ArtefactService::Stub stub(channel);
    v1::ManifestRequest request;
    request.set_worker(worker);
    request.set_sha256(std::string(32, 'x'));
    v1::Manifest response;
    return Call(stub, &v1::ArtefactService::Stub::GetManifest, request, response);
  }
  absl::Status Acquire(const std::shared_ptr<grpc::Channel>& channel, uint64_t session) {
    v1::WorkerService::Stub stub(channel);
    v1::AcquireRequest request;
    request.set_session(session);
    request.set_want_slots(1);
    v1::AcquireResponse response;
    return Call(stub, &v1::WorkerService::Stub::Acquire, request, response);
  }
  absl::StatusOr<std::string> Enroll(const std::string& secret, const std::string& worker,
                                     const std::string& key) {
    v1::EnrollService::Stub stub(ChannelOf({.authority = authority_.folder() + "/ca.pem"}));
    v1::EnrollRequest request;
    request.set_token(secret);
    request.set_worker(worker);
    request.set_request(certificates::MakeRequest(key).value());
    v1::EnrollResponse response;
    const absl::Status status = Call(stub, &v1::EnrollService::Stub::Enroll, request, response);
    if (!status.ok()) return status;
    return response.certificate();
  }
  certificates::JoinToken TokenFor(const std::string& worker, absl::Duration life = kLife) {
    const std::string path = folder_ / "a.token";
    EXPECT_TRUE(WriteFileAtomically(
                    path, authority_.MakeTokens(worker, 1, absl::Now(), life).value().front())
                    .ok());
    return certificates::ReadToken(path).value();
  }

  const Rules& rules_ = shogi::ShogiRules();
  testing::TempFolder folder_;
  const Authority authority_ = Authority::Create(folder_ / "certs", absl::Now()).value();
  absl::Duration hello_ = absl::Minutes(5);
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, EveryRoleMayCallItsOwnServices) {
  const auto worker = ChannelOf(FilesOf(Role::kWorker, "node-1"));
  const auto reader = ChannelOf(FilesOf(Role::kReader, "anna"));
  const auto an_operator = ChannelOf(FilesOf(Role::kOperator, "bert"));
  EXPECT_EQ(CodeOf(Join(worker, "node-1").status()), "ok");
  ExpectRefused(GetStatus(worker), absl::StatusCode::kPermissionDenied, "wrong_role");
  ExpectRefused(Drain(worker), absl::StatusCode::kPermissionDenied, "wrong_role");
  ExpectRefused(Join(reader, "anna").status(), absl::StatusCode::kPermissionDenied, "wrong_role");
  EXPECT_EQ(CodeOf(GetStatus(reader)), "ok");
  ExpectRefused(Drain(reader), absl::StatusCode::kPermissionDenied, "wrong_role");
  ExpectRefused(Join(an_operator, "bert").status(), absl::StatusCode::kPermissionDenied,
                "wrong_role");
  EXPECT_EQ(CodeOf(GetStatus(an_operator)), "ok");
  EXPECT_EQ(CodeOf(Drain(an_operator)), "ok");
}

TEST_F(TlsTest, AWorkerIsTheOneThatItsCertificateNames) {
  const auto one = ChannelOf(FilesOf(Role::kWorker, "node-1"));
  const auto two = ChannelOf(FilesOf(Role::kWorker, "node-2"));
  EXPECT_EQ(CodeOf(Join(one, "node-2").status()), "another_worker");
  const absl::StatusOr<uint64_t> session = Join(one, "node-1");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ(CodeOf(Beat(one, *session)), "ok");
  EXPECT_EQ(CodeOf(Beat(two, *session)), "another_worker");
  EXPECT_EQ(CodeOf(Acquire(two, *session)), "another_worker");
  EXPECT_EQ(CodeOf(Beat(two, *session + 1)), "unknown_session");
  EXPECT_EQ(CodeOf(GetManifest(one, "node-1")), "unknown_artefact");
  EXPECT_EQ(CodeOf(GetManifest(two, "node-1")), "another_worker");
  const auto an_operator = ChannelOf(FilesOf(Role::kOperator, "bert"));
  EXPECT_EQ(CodeOf(GetManifest(an_operator, "anything")), "unknown_artefact");
}

TEST_F(TlsTest, WithoutACertificateOnlyHealthAndEnrolment) {
  const TlsFiles nobody{.authority = authority_.folder() + "/ca.pem"};
  const auto channel = ChannelOf(nobody);
  for (const absl::Status& status :
       {GetStatus(channel), Drain(channel), Join(channel, "node-1").status()}) {
    ExpectRefused(status, absl::StatusCode::kUnauthenticated, "no_certificate");
  }
  EXPECT_EQ(CheckHealth(server_->address(), absl::Minutes(1), nobody), absl::OkStatus());
}

// The certificate that a coordinator presents on a connection.
std::string CertificateSeen(const std::shared_ptr<grpc::Channel>& channel, int64_t* end) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
  v1::Status response;
  if (!v1::ReaderService::Stub(channel).GetStatus(&context, {}, &response).ok()) return "";
  *end = response.certificate_end();
  const auto seen = context.auth_context()->FindPropertyValues("x509_pem_cert");
  return seen.empty() ? "" : std::string(seen.front().data(), seen.front().size());
}

TEST_F(TlsTest, ARenewedCertificateIsTakenWithoutARestart) {
  const TlsFiles anna = FilesOf(Role::kReader, "anna");
  const auto old_connection = ChannelOf(anna);
  const std::string path = authority_.folder() + "/cert.pem";
  const auto end_of = [](const std::string& text) {
    return absl::ToUnixSeconds(certificates::ReadCertificate(text, "seen").value().not_after);
  };
  const std::string first = ReadFile(path).value();
  int64_t end = 0;
  EXPECT_EQ(CertificateSeen(old_connection, &end), first);
  EXPECT_EQ(end, end_of(first));
  ASSERT_TRUE(authority_.RenewServer(absl::Now(), 2 * kLife).ok());
  const std::string renewed = ReadFile(path).value();
  ASSERT_NE(end_of(renewed), end_of(first));
  const absl::Time give_up = absl::Now() + absl::Minutes(2);
  while (CertificateSeen(ChannelOf(anna), &end) != renewed) {
    ASSERT_LT(absl::Now(), give_up) << "new connections do not see it";
  }
  EXPECT_EQ(end, end_of(renewed));
  EXPECT_EQ(CertificateSeen(old_connection, &end), first) << "open connections go on";
}

TEST_F(TlsTest, AClientInClearIsToldOfTls) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
  v1::Status response;
  const grpc::Status status =
      v1::ReaderService::NewStub(
          grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()))
          ->GetStatus(&context, {}, &response);
  const absl::Status told = StatusOfCall(status, server_->address(), /*secure=*/false);
  EXPECT_EQ(told.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ProblemOf(told).code, "unreachable");
  EXPECT_THAT(ProblemOf(told).expected, HasSubstr("--tls"));
}

TEST_F(TlsTest, ACoordinatorInClearIsToldApart) {
  const TlsFiles files = FilesOf(Role::kReader, "anna");
  server_.reset();
  auto server = Server::Start({.listen = "127.0.0.1:0", .db_path = folder_ / "book.sqlite"},
                              *coordinator_, rules_);
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  const absl::Status told = GetStatus(ChannelOf(files));
  EXPECT_EQ(ProblemOf(told).code, "unreachable");
  EXPECT_THAT(ProblemOf(told).expected, HasSubstr("in clear")) << told;
}

// Each of these certificates is shown to the server as it is: the client's own check comes before,
// and is tested with the credentials.
TEST_F(TlsTest, ABadCertificateDoesNotComeThrough) {
  const certificates::Signer signer{*ReadFile(authority_.folder() + "/ca.pem"),
                                    *ReadFile(authority_.folder() + "/ca.key")};
  const absl::Time now = absl::Now();
  const certificates::Validity valid{now - absl::Hours(1), now + absl::Hours(1)};
  const std::string key = certificates::MakeKey().value();
  const Identity anna{Role::kReader, "anna", certificates::MakeSerial().value()};
  const auto status_with = [&](const std::string& certificate) {
    return GetStatus(Unchecked(server_->address(), signer.certificate, certificate, key));
  };
  EXPECT_EQ(CodeOf(status_with(certificates::SignClient(signer, key, anna, valid).value())), "ok");
  const std::string expired =
      certificates::SignClient(signer, key, anna, {now - absl::Hours(2), now - absl::Hours(1)})
          .value();
  EXPECT_EQ(CodeOf(status_with(expired)), "unreachable");
  const std::string early =
      certificates::SignClient(signer, key, anna, {now + absl::Hours(1), now + absl::Hours(2)})
          .value();
  EXPECT_EQ(CodeOf(status_with(early)), "unreachable");
  const certificates::Signer stranger = certificates::MakeAuthority(valid).value();
  EXPECT_EQ(CodeOf(status_with(certificates::SignClient(stranger, key, anna, valid).value())),
            "unreachable");
  // One for the other end of a connection, and so for nobody.
  EXPECT_NE(CodeOf(status_with(certificates::SignServer(signer, key, valid).value())), "ok");
}

TEST_F(TlsTest, AnotherClustersCoordinatorIsNotTrusted) {
  const certificates::Signer stranger =
      certificates::MakeAuthority({absl::Now() - absl::Hours(1), absl::Now() + absl::Hours(1)})
          .value();
  const absl::Status told = GetStatus(Unchecked(server_->address(), stranger.certificate, "", ""));
  EXPECT_EQ(CodeOf(told), "coordinator_not_trusted") << told;
}

TEST_F(TlsTest, ACoordinatorWithAnExpiredCertificateIsNotTrusted) {
  const TlsFiles files = FilesOf(Role::kReader, "anna");
  // Years ago the server's certificate was good; by its clock it still is.
  class Past : public Clock {
   public:
    absl::Time Now() const override { return absl::Now() - absl::Hours(24 * 365 * 2); }
  };
  const Past past;
  server_.reset();
  const Authority old = Authority::Create(folder_ / "old", past.Now()).value();
  auto server = Server::Start({.listen = "127.0.0.1:0",
                               .db_path = folder_ / "book.sqlite",
                               .tls = TlsFiles::In(old.folder())},
                              *coordinator_, rules_, past);
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  const absl::Status told = GetStatus(ChannelOf({.authority = old.folder() + "/ca.pem"}));
  EXPECT_EQ(CodeOf(told), "coordinator_not_trusted") << told;
  server_.reset();
  const auto again = Server::Start({.listen = "127.0.0.1:0",
                                    .db_path = folder_ / "book.sqlite",
                                    .tls = TlsFiles::In(old.folder())},
                                   *coordinator_, rules_);
  EXPECT_EQ(CodeOf(again.status()), "certificate_expired");
}

TEST_F(TlsTest, ListensAnywhereWithTls) {
  const auto server = Server::Start({.listen = "0.0.0.0:0",
                                     .db_path = folder_ / "book.sqlite",
                                     .tls = TlsFiles::In(authority_.folder())},
                                    *coordinator_, rules_);
  EXPECT_TRUE(server.ok()) << server.status();
}

TEST_F(TlsTest, ARevokedWorkerIsRefusedAtOnce) {
  const auto channel = ChannelOf(FilesOf(Role::kWorker, "node-1"));
  const auto other = ChannelOf(FilesOf(Role::kWorker, "node-2"));
  const absl::StatusOr<uint64_t> session = Join(channel, "node-1");
  ASSERT_TRUE(session.ok()) << session.status();
  // Held for minutes, as there is no work.
  auto held = std::async(std::launch::async, [&] { return Acquire(channel, *session); });
  ASSERT_EQ(authority_.Revoke(Role::kWorker, "node-1", absl::Now()).value(), 1);
  ExpectRefused(held.get(), absl::StatusCode::kPermissionDenied, "revoked");
  ExpectRefused(Beat(channel, *session), absl::StatusCode::kPermissionDenied, "revoked");
  EXPECT_EQ(CodeOf(Join(other, "node-2").status()), "ok");
  // A new certificate with that name is independent of the revoked one.
  EXPECT_EQ(CodeOf(Join(ChannelOf(FilesOf(Role::kWorker, "node-1")), "node-1").status()), "ok");
}

TEST_F(TlsTest, ARevokedReaderWatchesNoMore) {
  v1::ReaderService::Stub stub(ChannelOf(FilesOf(Role::kReader, "anna")));
  v1::WatchStatusRequest request;
  request.set_interval_ms(60'000);
  grpc::ClientContext context;
  const auto reader = stub.WatchStatus(&context, request);
  v1::Status status;
  ASSERT_TRUE(reader->Read(&status));
  ASSERT_EQ(authority_.Revoke(Role::kReader, "anna", absl::Now()).value(), 1);
  EXPECT_FALSE(reader->Read(&status));
  ExpectRefused(StatusOfCall(reader->Finish(), server_->address(), true),
                absl::StatusCode::kPermissionDenied, "revoked");
}

// Streams of any kind end; here one that has begun to send a book.
TEST_F(TlsTest, OtherStreamsOfTheRevokedEndWithTheirConnection) {
  const auto channel = ChannelOf(FilesOf(Role::kOperator, "bert"));
  EXPECT_EQ(CodeOf(Drain(channel)), "ok");
  v1::OperatorService::Stub stub(channel);
  grpc::ClientContext context;
  v1::ImportResponse response;
  const auto writer = stub.Import(&context, &response);
  EXPECT_EQ(CodeOf(Drain(channel)), "ok");  // the stream, on the same connection, came before it
  ASSERT_EQ(authority_.Revoke(Role::kOperator, "bert", absl::Now()).value(), 1);
  EXPECT_EQ(writer->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsTest, AStreamThatNeverEndsIsNotForStrangers) {
  const auto watch = [&](const TlsFiles& files) {
    grpc::GenericStub stub(ChannelOf(files));
    grpc::ClientContext context;
    grpc::CompletionQueue queue;
    const grpc::Slice whole_server(std::string("\x0a\x00", 2));
    const grpc::ByteBuffer request(&whole_server, 1);
    const auto call = stub.PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);
    void* tag = nullptr;
    bool ok = false;
    grpc::ByteBuffer response;
    grpc::Status status;
    call->StartCall(nullptr);
    queue.Next(&tag, &ok);
    call->WriteLast(request, {}, nullptr);
    queue.Next(&tag, &ok);
    call->Read(&response, nullptr);
    queue.Next(&tag, &ok);
    if (ok) context.TryCancel();  // it would go on
    call->Finish(&status, nullptr);
    queue.Next(&tag, &ok);
    queue.Shutdown();
    while (queue.Next(&tag, &ok)) {
    }
    return status.error_code();
  };
  EXPECT_EQ(watch({.authority = authority_.folder() + "/ca.pem"}),
            grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(watch(FilesOf(Role::kReader, "anna")), grpc::StatusCode::CANCELLED);
}

TEST_F(TlsTest, WhoShowsNoCertificateInTimeGoes) {
  server_.reset();
  hello_ = absl::Seconds(3);
  StartServer();
  const auto worker = ChannelOf(FilesOf(Role::kWorker, "node-1"));
  const auto deadline = std::chrono::system_clock::now() + std::chrono::minutes(1);
  absl::StatusOr<uint64_t> session = Join(worker, "node-1");
  // On a loaded machine its handshake, too, may come too late.
  while (!session.ok() && std::chrono::system_clock::now() < deadline)
    session = Join(worker, "node-1");
  ASSERT_TRUE(session.ok()) << session.status();
  const uint64_t before = server_->connections().strangers_out;
  // It comes after the worker, whose time is therefore over, too, when this one's is.
  const auto nobody = ChannelOf({.authority = authority_.folder() + "/ca.pem"});
  ASSERT_TRUE(nobody->WaitForConnected(deadline));
  EXPECT_TRUE(nobody->WaitForStateChange(GRPC_CHANNEL_READY, deadline));
  EXPECT_GT(server_->connections().strangers_out, before);
  EXPECT_EQ(server_->connections().known, 1U);
  EXPECT_EQ(worker->GetState(false), GRPC_CHANNEL_READY);
  EXPECT_EQ(CodeOf(Beat(worker, *session)), "ok");
}

TEST_F(TlsTest, ADamagedRevocationFileGivesNobodyHisRightsBack) {
  const auto channel = ChannelOf(FilesOf(Role::kWorker, "node-1"));
  ASSERT_EQ(authority_.Revoke(Role::kWorker, "node-1", absl::Now()).value(), 1);
  const auto refused = [&] { return absl::IsPermissionDenied(Join(channel, "node-1").status()); };
  while (!refused()) std::this_thread::yield();
  ASSERT_TRUE(WriteFileAtomically(authority_.folder() + "/revoked", "all is forgiven\n").ok());
  // The server looks every few milliseconds; each of these calls takes about as long.
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(refused());
}

TEST_F(TlsTest, ANodeEnrolsOnceWithItsToken) {
  const std::string key = certificates::MakeKey().value();
  const certificates::JoinToken token = TokenFor("node-7");
  EXPECT_EQ(CodeOf(Enroll(token.secret, "node-8", key).status()), "bad_token");
  const absl::StatusOr<std::string> certificate = Enroll(token.secret, "node-7", key);
  ASSERT_TRUE(certificate.ok()) << certificate.status();
  const auto channel = Unchecked(server_->address(), token.authority, *certificate, key);
  EXPECT_EQ(CodeOf(Join(channel, "node-7").status()), "ok");
  // Its reply might have been lost; another node's key is another matter.
  EXPECT_EQ(CodeOf(Enroll(token.secret, "node-7", key).status()), "ok");
  EXPECT_EQ(CodeOf(Enroll(token.secret, "node-7", certificates::MakeKey().value()).status()),
            "bad_token");
}

TEST_F(TlsTest, EnrolmentChecksWhatItIsSent) {
  v1::EnrollService::Stub stub(ChannelOf({.authority = authority_.folder() + "/ca.pem"}));
  const std::string secret = TokenFor("").secret;
  const std::string request = certificates::MakeRequest(certificates::MakeKey().value()).value();
  for (const auto& [token, worker, text] :
       {std::tuple(std::string("short"), std::string("n"), request),
        std::tuple(secret, std::string("no name"), request),
        std::tuple(secret, std::string("n"), std::string(5000, 'x')),
        std::tuple(secret, std::string("n"), std::string("text"))}) {
    v1::EnrollRequest bad;
    bad.set_token(token);
    bad.set_worker(worker);
    bad.set_request(text);
    v1::EnrollResponse response;
    const absl::Status status = Call(stub, &v1::EnrollService::Stub::Enroll, bad, response);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  EXPECT_EQ(CodeOf(Enroll(std::string(64, 'a'), "n", certificates::MakeKey().value()).status()),
            "bad_token");
}

TEST_F(TlsTest, WithoutTheAuthoritysKeyNobodyEnrols) {
  const std::string secret = TokenFor("").secret;
  server_.reset();
  auto server = Server::Start({.listen = "127.0.0.1:0",
                               .db_path = folder_ / "book.sqlite",
                               .tls = TlsFiles::In(authority_.folder())},
                              *coordinator_, rules_);
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  EXPECT_EQ(CodeOf(Enroll(secret, "node-1", certificates::MakeKey().value()).status()),
            "no_enrolment");
}

// Everything that is logged while nodes enrol, well and badly, and certificates are used.
TEST_F(TlsTest, NoSecretIsLogged) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  auto logger = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log));
  logger->set_level(spdlog::level::trace);
  spdlog::set_default_logger(logger);
  const std::string key = certificates::MakeKey().value();
  const certificates::JoinToken good = TokenFor("node-1");
  const certificates::JoinToken late = TokenFor("node-2", -absl::Hours(1));
  EXPECT_EQ(CodeOf(Enroll(good.secret, "node-1", key).status()), "ok");
  const absl::Status refused = Enroll(late.secret, "node-2", key).status();
  EXPECT_EQ(CodeOf(refused), "bad_token");
  server_.reset();
  spdlog::set_default_logger(before);
  const std::string text = log.str() + refused.ToString();
  EXPECT_THAT(text, HasSubstr("event=enrolled worker=node-1"));
  EXPECT_THAT(text, HasSubstr("event=enrol_refused worker=node-2"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(good.secret)));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(late.secret)));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(certificates::HashOfSecret(good.secret))));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("PRIVATE KEY")));
}

TEST(DoorTest, LetsNobodyThroughToWhatItDoesNotKnow) {
  const std::string serial(32, '0');
  const Identity bert{Role::kOperator, "bert", serial};
  const Identity node{Role::kWorker, "node", serial};
  EXPECT_EQ(CodeOf(Admit("/joseki.v1.NewService/Call", bert)), "wrong_role");
  EXPECT_EQ(CodeOf(Admit("", bert)), "wrong_role");
  EXPECT_EQ(CodeOf(Admit("/joseki.v1.ReaderServiceX/Call", bert)), "wrong_role");
  EXPECT_EQ(CodeOf(Admit("/joseki.v1.ArtefactService/Fetch", node)), "ok");
  EXPECT_EQ(CodeOf(Admit("/joseki.v1.ArtefactService/Fetch", std::nullopt)), "no_certificate");
  EXPECT_EQ(CodeOf(Admit("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", node)),
            "wrong_role");
  EXPECT_EQ(CodeOf(Admit("/grpc.health.v1.Health/Check", std::nullopt)), "ok");
}

}  // namespace
}  // namespace joseki::coordinator
