#include "worker/coordinator_client.h"

#include <grpcpp/grpcpp.h>

#include <mutex>
#include <utility>

#include "absl/time/time.h"
#include "base/status_macros.h"
#include "joseki/v1/worker.grpc.pb.h"
#include "proto/grpc_status.h"
#include "worker/wire.h"

namespace joseki::worker {
namespace {

constexpr absl::Duration kControlDeadline = absl::Seconds(10);
constexpr absl::Duration kSubmitDeadline = absl::Seconds(30);
constexpr absl::Duration kLeaveDeadline = absl::Seconds(5);
// Beyond the time that the coordinator may hold an Acquire.
constexpr absl::Duration kAcquireSlack = absl::Seconds(10);

// Who we are and whom we believe. Clear text: for the loopback and for closed networks.
std::shared_ptr<grpc::ChannelCredentials> Credentials() {
  return grpc::InsecureChannelCredentials();
}

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // A proxy of the environment is meant for the web, not for a cluster's inside.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // The work loop retries; two layers would multiply.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // A new channel is a new connection, without the back-off of the one before.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

class CoordinatorClient final : public CoordinatorPort {
 public:
  explicit CoordinatorClient(AddressSource address) : address_(std::move(address)) {}

  absl::StatusOr<Session> Join(const JoinInput& input, std::stop_token stop) override {
    v1::JoinResponse response;
    RETURN_IF_ERROR(
        Call(&v1::WorkerService::Stub::Join, ToWire(input), response, kControlDeadline, stop));
    return FromWire(response);
  }

  absl::StatusOr<AcquireOutput> Acquire(const Session& session, const AcquireInput& input,
                                        std::stop_token stop) override {
    v1::AcquireResponse response;
    RETURN_IF_ERROR(Call(&v1::WorkerService::Stub::Acquire, ToWire(session.session, input),
                         response, session.wait + kAcquireSlack, stop));
    return FromWire(response);
  }

  absl::StatusOr<SubmitOutput> Submit(SessionId session, const SubmitInput& input,
                                      std::stop_token stop) override {
    v1::SubmitResponse response;
    RETURN_IF_ERROR(Call(&v1::WorkerService::Stub::Submit, ToWire(session, input), response,
                         kSubmitDeadline, stop));
    return FromWire(response);
  }

  absl::StatusOr<BeatOutput> Beat(SessionId session, std::span<const LeaseProgress> leases,
                                  std::stop_token stop) override {
    v1::BeatResponse response;
    RETURN_IF_ERROR(Call(&v1::WorkerService::Stub::Beat, ToWire(session, leases), response,
                         kControlDeadline, stop));
    return FromWire(response);
  }

  absl::Status Leave(SessionId session, std::span<const SlotRef> unplayed,
                     std::stop_token stop) override {
    v1::LeaveResponse response;
    return Call(&v1::WorkerService::Stub::Leave, ToWire(session, unplayed), response,
                kLeaveDeadline, stop);
  }

 private:
  using Stub = v1::WorkerService::Stub;

  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (Stub::*verb)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response, absl::Duration deadline,
                    const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const std::shared_ptr<Stub> stub, Connected());
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + absl::ToChronoMicroseconds(deadline));
    const std::stop_callback cancel(stop, [&] { context.TryCancel(); });
    const grpc::Status status = ((*stub).*verb)(&context, request, &response);
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE) Disconnect(stub);
    return FromGrpc(status);
  }

  absl::StatusOr<std::shared_ptr<Stub>> Connected() {
    const std::lock_guard lock(mutex_);
    if (stub_ == nullptr) {
      ASSIGN_OR_RETURN(const std::string address, address_());
      stub_ = v1::WorkerService::NewStub(
          grpc::CreateCustomChannel(address, Credentials(), Arguments()));
    }
    return stub_;
  }

  void Disconnect(const std::shared_ptr<Stub>& stub) {
    const std::lock_guard lock(mutex_);
    if (stub_ == stub) stub_ = nullptr;
  }

  const AddressSource address_;
  std::mutex mutex_;
  std::shared_ptr<Stub> stub_;  // guarded by mutex_; nullptr: not connected
};

}  // namespace

std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address) {
  return std::make_unique<CoordinatorClient>(std::move(address));
}

}  // namespace joseki::worker
