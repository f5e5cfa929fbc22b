#include "coordinator/services/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/address.h"
#include "base/certificates/authority.h"
#include "base/certificates/revocations.h"
#include "base/pause.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/artefacts.h"
#include "coordinator/services/acceptor.h"
#include "coordinator/services/artefact_service.h"
#include "coordinator/services/enroll_service.h"
#include "coordinator/services/operator_service.h"
#include "coordinator/services/reader_service.h"
#include "coordinator/services/server_certificate.h"
#include "coordinator/services/server_door.h"
#include "coordinator/services/task_pool.h"
#include "coordinator/services/worker_service.h"
#include "proto/server_tls.h"

namespace joseki::coordinator {
namespace {

constexpr int kPoolThreads = 4;
constexpr size_t kPoolWaiting = 256;
constexpr int kMaxMessageBytes = 4 << 20;
constexpr int kTlsFrameBytes = 4096;
constexpr size_t kTransportBytes = size_t{512} << 20;
// Limit of calls on one connection: a worker has four, a command two.
constexpr int kMostStreams = 32;
constexpr int kHandshakeMs = 10'000;
// Time for telling a revoked caller before its connection is cut.
constexpr std::chrono::milliseconds kLastWord(500);

// Identifies the caller of every admitted call to the acceptor. Health needs no identity, and
// enrolment only a token: a caller of these alone stays a stranger.
class Greeter final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  Greeter(Acceptor& acceptor, bool certificates)
      : acceptor_(acceptor), certificates_(certificates) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* call) override {
    const grpc::ServerContextBase& context = *call->server_context();
    const std::string peer = context.peer();
    if (peer.empty()) return nullptr;  // a call of reflection, whose older kind has no peer
    if (certificates_) {
      if (const auto caller = CallerOf(*context.auth_context())) {
        acceptor_.Know(peer, caller->serial);
      }
    } else if (!std::string_view(call->method()).starts_with("/grpc.health.")) {
      acceptor_.Know(peer, "");
    }
    return nullptr;  // it does no more
  }

 private:
  Acceptor& acceptor_;
  const bool certificates_;
};

class GrpcServer : public Server {
 public:
  GrpcServer(const ServerOptions& options, std::optional<certificates::Authority> authority,
             Coordinator& coordinator, const Rules& rules, const Clock& clock)
      : clock_(clock),
        pool_(std::in_place, kPoolThreads, kPoolWaiting),
        worker_(coordinator.workers()),
        operator_(coordinator.operators(), rules, options.db_path, *pool_),
        reader_(coordinator.readers(), rules, options.db_path, *pool_,
                [this] { return certificate_end(); }),
        artefacts_({.db_path = options.db_path}, coordinator.weights()),
        artefact_(artefacts_, coordinator.readers(), options.artefact_mb_per_second * 1e6, clock,
                  *pool_),
        enroll_(std::move(authority), clock) {}
  ~GrpcServer() override { Shutdown(absl::Seconds(5)); }

  absl::Status Listen(const ServerOptions& options, const HostPort& listen) {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ServerCredentials> credentials,
                     Credentials(options));
    absl::StatusOr<std::unique_ptr<Acceptor>> acceptor =
        Acceptor::Listen({.listen = listen,
                          .limits = options.connections,
                          .take = [this](int descriptor) { Take(descriptor); },
                          .broken =
                              [broken = options.broken](const std::string& why) {
                                spdlog::error("event=listener_broken reason=\"{}\"", why);
                                broken();
                              }});
    if (!acceptor.ok()) {
      Problem problem = ProblemOf(acceptor.status());
      problem.file = "--listen";
      return MakeProblem(std::move(problem), acceptor.status().code());
    }
    acceptor_ = *std::move(acceptor);
    grpc::ServerBuilder builder;
    connections_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials);
    std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> greeters;
    greeters.push_back(std::make_unique<Greeter>(*acceptor_, tls_ != nullptr));
    builder.experimental().SetInterceptorCreators(std::move(greeters));
    builder.RegisterService(&worker_);
    builder.RegisterService(&operator_);
    builder.RegisterService(&reader_);
    builder.RegisterService(&artefact_);
    if (!options.tls.empty()) builder.RegisterService(&enroll_);
    builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
    builder.SetResourceQuota(grpc::ResourceQuota("joseki").Resize(kTransportBytes));
    // Workers and connections through a NAT are idle for long: both sides may ping.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    // gRPC's own counters are not read.
    builder.AddChannelArgument(GRPC_ARG_ENABLE_CHANNELZ, 0);
    // Each connection keeps a buffer of this size.
    builder.AddChannelArgument(GRPC_ARG_TSI_MAX_FRAME_SIZE, kTlsFrameBytes);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostStreams);
    // Do not wait for silent callers. If thousands connect at once, most wait in the kernel's
    // queue, where this timeout does not run.
    builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMs);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return absl::InternalError("the gRPC server does not start");
    const size_t colon = options.listen.rfind(':');
    address_ = absl::StrCat(options.listen.substr(0, colon), ":", acceptor_->port());
    acceptor_->Start();
    if (tls_ != nullptr) Watch(options.tls_every);
    server_->GetHealthCheckService()->SetServingStatus(true);
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }

  std::optional<absl::Time> certificate_end() const override {
    if (tls_ == nullptr) return std::nullopt;
    return tls_->not_after();
  }

  ConnectionCounts connections() const override { return acceptor_->counts(); }

  void Shutdown(absl::Duration grace) override {
    if (server_ == nullptr) return;
    acceptor_->Stop();
    server_->GetHealthCheckService()->SetServingStatus(false);
    watch_ = std::jthread();  // stops and joins it
    worker_.Close();
    reader_.Close();
    server_->Shutdown(absl::ToChronoTime(absl::Now() + grace));
    server_->Wait();
    server_.reset();
    pool_.reset();  // tasks whose caller has gone may still run and use the services
    enroll_.Close();
  }

 private:
  void Take(int descriptor) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = descriptor;
    connections_->HandleNewConnection(&connection);
  }

  // Plaintext without TLS; with it, every call passes the door.
  absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> Credentials(
      const ServerOptions& options) {
    if (options.tls.empty()) return grpc::InsecureServerCredentials();
    ASSIGN_OR_RETURN(tls_, ServerTls::Load(options.tls, clock_.Now()));
    if (!options.revocations.empty()) {
      ASSIGN_OR_RETURN(revocations_, certificates::Revocations::Load(options.revocations));
    }
    return tls_->Credentials(std::make_shared<Door>(revocations_));
  }

  // Watches for revoked certificates, and for renewal and end of our own.
  void Watch(absl::Duration every) {
    watch_ = std::jthread([this, every](const std::stop_token& stop) {
      ServerCertificate certificate(tls_);
      certificate.Look(clock_.Now());
      // The time to cut revoked connections.
      using Steady = std::chrono::steady_clock;  // not affected by setting the clock
      Steady::time_point cut_at = Steady::time_point::max();
      while (Pause(every, stop)) {
        certificate.Look(clock_.Now());
        if (revocations_ == nullptr) continue;
        const absl::StatusOr<bool> read = revocations_->Refresh();
        if (!read.ok()) {
          spdlog::error("event=revocations_unreadable kept=the_last reason=\"{}\"",
                        std::string(read.status().message()));
        } else if (*read) {
          spdlog::info("event=revocations_read");
        }
        if (!read.ok() || *read) {
          // Tell callers that wait or watch the reason; then cut all other calls.
          worker_.Refuse(*revocations_);
          reader_.Refuse(*revocations_);
          cut_at = Steady::now() + kLastWord;
        }
        if (Steady::now() >= cut_at) {
          cut_at = Steady::time_point::max();
          acceptor_->EndRevoked(
              [this](const std::string& serial) { return revocations_->Contains(serial); });
        }
      }
    });
  }

  const Clock& clock_;
  std::shared_ptr<ServerTls> tls_;                          // null: plaintext
  std::shared_ptr<certificates::Revocations> revocations_;  // null: none
  std::optional<TaskPool> pool_;
  WorkerService worker_;
  OperatorService operator_;
  ReaderService reader_;
  Artefacts artefacts_;
  ArtefactService artefact_;
  EnrollService enroll_;
  std::string address_;
  std::unique_ptr<Acceptor> acceptor_;  // outlives the server, which reports its calls to it
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<grpc::Server> server_;
  std::jthread watch_;  // over certificate and revocations
};

absl::StatusOr<HostPort> ListenOf(const ServerOptions& options) {
  return ListenAt({.option = "--listen",
                   .text = options.listen,
                   .example = "127.0.0.1:7460",
                   .guarded = !options.tls.empty() || options.insecure_network,
                   .guards = "TLS (`joseki certs init DIR`, then --tls DIR), a loopback "
                             "address, or --insecure-network on a network where "
                             "everybody may do everything"});
}

}  // namespace

absl::Status Server::Check(const ServerOptions& options) {
  RETURN_IF_ERROR(ListenOf(options).status());
  if (!options.authority.empty()) {
    RETURN_IF_ERROR(certificates::Authority::Open(options.authority).status());
  }
  if (options.tls.empty()) return absl::OkStatus();
  RETURN_IF_ERROR(ServerTls::Load(options.tls, absl::Now()).status());
  if (options.revocations.empty()) return absl::OkStatus();
  return certificates::Revocations::Load(options.revocations).status();
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options,
                                                      Coordinator& coordinator, const Rules& rules,
                                                      const Clock& clock) {
  ASSIGN_OR_RETURN(const HostPort listen, ListenOf(options));
  if (!IsLoopback(listen.host) && options.tls.empty()) {
    spdlog::warn("event=insecure_network listen={} tls=off", options.listen);
  }
  std::optional<certificates::Authority> authority;
  if (!options.authority.empty()) {
    ASSIGN_OR_RETURN(authority, certificates::Authority::Open(options.authority));
  }
  auto server =
      std::make_unique<GrpcServer>(options, std::move(authority), coordinator, rules, clock);
  RETURN_IF_ERROR(server->Listen(options, listen));
  return server;
}

}  // namespace joseki::coordinator
