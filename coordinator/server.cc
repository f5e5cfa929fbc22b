#include "coordinator/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/operator_service.h"
#include "coordinator/reader_service.h"
#include "coordinator/task_pool.h"
#include "coordinator/worker_service.h"

namespace joseki::coordinator {
namespace {

constexpr int kPoolThreads = 4;
constexpr size_t kPoolWaiting = 256;
constexpr int kMaxMessageBytes = 4 << 20;
constexpr size_t kTransportBytes = size_t{512} << 20;

// The host of "HOST:PORT" or "[IPv6]:PORT"; empty if the address is malformed.
std::string_view HostOf(std::string_view listen) {
  const size_t colon = listen.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view port = listen.substr(colon + 1);
  int number = -1;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number < 0 || number > 65535) {
    return {};
  }
  std::string_view host = listen.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return {};
  }
  return host;
}

class GrpcServer : public Server {
 public:
  GrpcServer(const ServerOptions& options, Coordinator& coordinator, const Rules& rules)
      : pool_(std::in_place, kPoolThreads, kPoolWaiting),
        worker_(coordinator),
        operator_(coordinator, rules, options.db_path, *pool_),
        reader_(coordinator, rules, options.db_path, *pool_) {}
  ~GrpcServer() override { Shutdown(absl::Seconds(5)); }

  absl::Status Listen(const ServerOptions& options) {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(options.listen, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&worker_);
    builder.RegisterService(&operator_);
    builder.RegisterService(&reader_);
    builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
    builder.SetResourceQuota(grpc::ResourceQuota("joseki").Resize(kTransportBytes));
    // Two servers must not share a port without knowing of each other.
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    // Workers and connections through a NAT are quiet for long: both sides may ping.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port == 0) {
      return MakeProblem({.code = "cannot_listen",
                          .file = "--listen",
                          .found = options.listen,
                          .expected = "an address of this machine and a free port"},
                         absl::StatusCode::kUnavailable);
    }
    const size_t colon = options.listen.rfind(':');
    address_ = absl::StrCat(options.listen.substr(0, colon), ":", port);
    server_->GetHealthCheckService()->SetServingStatus(true);
    if (options.address_file.empty()) return absl::OkStatus();
    return WriteFileAtomically(options.address_file, address_ + "\n");
  }

  const std::string& address() const override { return address_; }

  void Shutdown(absl::Duration grace) override {
    if (server_ == nullptr) return;
    server_->GetHealthCheckService()->SetServingStatus(false);
    worker_.Close();
    reader_.Close();
    server_->Shutdown(absl::ToChronoTime(absl::Now() + grace));
    server_->Wait();
    server_.reset();
    pool_.reset();  // tasks whose caller has gone may still run; they use the services
  }

 private:
  std::optional<TaskPool> pool_;
  WorkerService worker_;
  OperatorService operator_;
  ReaderService reader_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

bool IsLoopback(std::string_view listen) {
  const std::string_view host = HostOf(listen);
  if (host == "localhost" || host == "::1") return true;
  return host.substr(0, 4) == "127." && host.find_first_not_of("0123456789.") == host.npos;
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options,
                                                      Coordinator& coordinator,
                                                      const Rules& rules) {
  if (HostOf(options.listen).empty()) {
    return MakeProblem({.code = "bad_address",
                        .file = "--listen",
                        .found = Quote(options.listen),
                        .expected = "HOST:PORT, such as 127.0.0.1:7460"});
  }
  if (!IsLoopback(options.listen)) {
    if (!options.insecure_network) {
      return MakeProblem({.code = "insecure_network",
                          .file = "--listen",
                          .found = options.listen,
                          .expected = "a loopback address, or --insecure-network on a network "
                                      "where everybody may do everything: there is no TLS"},
                         absl::StatusCode::kFailedPrecondition);
    }
    spdlog::warn("event=insecure_network listen={} tls=off", options.listen);
  }
  auto server = std::make_unique<GrpcServer>(options, coordinator, rules);
  RETURN_IF_ERROR(server->Listen(options));
  return server;
}

}  // namespace joseki::coordinator
