#include "worker/coordinator_client.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/address.h"
#include "base/mutex.h"
#include "base/status_macros.h"
#include "joseki/v1/enroll.grpc.pb.h"
#include "joseki/v1/worker.grpc.pb.h"
#include "proto/credentials.h"
#include "worker/wire.h"

namespace joseki::worker {
namespace {

constexpr absl::Duration kControlDeadline = absl::Seconds(10);
constexpr absl::Duration kSubmitDeadline = absl::Seconds(30);
constexpr absl::Duration kLeaveDeadline = absl::Seconds(5);
// Added to the time that the coordinator may hold an Acquire.
constexpr absl::Duration kAcquireSlack = absl::Seconds(10);

// Reads the files for each new connection, so that a certificate can be renewed at run time.
absl::StatusOr<std::shared_ptr<grpc::Channel>> ChannelTo(const std::string& address,
                                                         const certificates::TlsFiles& files) {
  RETURN_IF_ERROR(CheckDialled(address));
  ASSIGN_OR_RETURN(const ClientTls tls, MakeClientTls(files, absl::Now()));
  return grpc::CreateCustomChannel(address, tls.credentials, ChannelArgumentsFor(tls));
}

// The connection of a client, made at first use and again after a loss.
class Connection {
 public:
  using Stub = v1::WorkerService::Stub;

  Connection(AddressSource address, certificates::TlsFiles tls)
      : address_(std::move(address)), tls_(std::move(tls)) {}

  bool secure() const { return !tls_.empty(); }

  // The stub, and in `address` the address of the connection.
  absl::StatusOr<std::shared_ptr<Stub>> Connected(std::string& address) {
    const ScopedLock lock(mutex_);
    if (stub_ == nullptr) {
      ASSIGN_OR_RETURN(connected_to_, address_());
      ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                       ChannelTo(connected_to_, tls_));
      stub_ = v1::WorkerService::NewStub(channel);
      lost_ = nullptr;
    }
    address = connected_to_;
    return stub_;
  }

  // The result of a call over `stub`. Drops the connection if it is lost.
  absl::Status StatusOf(const grpc::Status& status, const std::shared_ptr<Stub>& stub,
                        const std::string& address) {
    if (status.ok()) return absl::OkStatus();
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
      const ScopedLock lock(mutex_);
      if (stub_ == stub) lost_ = std::exchange(stub_, nullptr);
    }
    return StatusOfCall(status, address, secure());
  }

 private:
  const AddressSource address_;
  const certificates::TlsFiles tls_;
  Mutex mutex_;
  std::string connected_to_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Stub> stub_ ABSL_GUARDED_BY(mutex_);  // nullptr: not connected
  // The lost stub is kept until the next loss. A gRPC thread that ends a call would wait for itself
  // if it released the process's last channel.
  std::shared_ptr<Stub> lost_ ABSL_GUARDED_BY(mutex_);
};

void SetDeadline(grpc::ClientContext& context, absl::Duration deadline) {
  context.set_deadline(std::chrono::system_clock::now() + absl::ToChronoMicroseconds(deadline));
}

class CoordinatorClient final : public CoordinatorPort {
 public:
  CoordinatorClient(AddressSource address, certificates::TlsFiles tls)
      : connection_(std::move(address), std::move(tls)) {}

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

  absl::StatusOr<BeatOutput> Beat(SessionId session, const BeatInput& input,
                                  std::stop_token stop) override {
    v1::BeatResponse response;
    RETURN_IF_ERROR(Call(&v1::WorkerService::Stub::Beat, ToWire(session, input), response,
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
  using Stub = Connection::Stub;

  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (Stub::*verb)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response, absl::Duration deadline,
                    const std::stop_token& stop) {
    std::string address;
    ASSIGN_OR_RETURN(const std::shared_ptr<Stub> stub, connection_.Connected(address));
    grpc::ClientContext context;
    SetDeadline(context, deadline);
    const std::stop_callback cancel(stop, [&] { context.TryCancel(); });
    return connection_.StatusOf(((*stub).*verb)(&context, request, &response), stub, address);
  }

  Connection connection_;
};

class AsyncClient final : public AsyncCoordinatorClient {
 public:
  AsyncClient(AddressSource address, certificates::TlsFiles tls)
      : connection_(std::move(address), std::move(tls)) {}

  ~AsyncClient() override {
    const ScopedLock lock(mutex_);
    for (grpc::ClientContext* const call : calls_) call->TryCancel();
    while (open_ > 0) ended_.wait(mutex_);
  }

  absl::Status Join(const JoinInput& input, Done<Session> done) override {
    return Begin<v1::JoinResponse>(
        ToWire(input), kControlDeadline, [](auto& stub, auto... call) { stub.Join(call...); },
        std::move(done));
  }

  absl::Status Acquire(const Session& session, const AcquireInput& input,
                       Done<AcquireOutput> done) override {
    return Begin<v1::AcquireResponse>(
        ToWire(session.session, input), session.wait + kAcquireSlack,
        [](auto& stub, auto... call) { stub.Acquire(call...); }, std::move(done));
  }

  absl::Status Submit(SessionId session, const SubmitInput& input,
                      Done<SubmitOutput> done) override {
    return Begin<v1::SubmitResponse>(
        ToWire(session, input), kSubmitDeadline,
        [](auto& stub, auto... call) { stub.Submit(call...); }, std::move(done));
  }

 private:
  using Stub = Connection::Stub;

  template <typename Request, typename Response, typename Output>
  struct Call {
    grpc::ClientContext context;
    std::shared_ptr<Stub> stub;
    std::string address;
    Request request;
    Response response;
    Done<Output> done;
  };

  template <typename Response, typename Request, typename Verb, typename Output>
  absl::Status Begin(Request request, absl::Duration deadline, Verb verb, Done<Output> done) {
    using OneCall = Call<Request, Response, Output>;
    auto call = std::make_unique<OneCall>();
    ASSIGN_OR_RETURN(call->stub, connection_.Connected(call->address));
    call->request = std::move(request);
    call->done = std::move(done);
    SetDeadline(call->context, deadline);
    OneCall* const begun = call.release();  // owned here until End
    {
      const ScopedLock lock(mutex_);
      calls_.insert(&begun->context);
      ++open_;
    }
    verb(*begun->stub->async(), &begun->context, &begun->request, &begun->response,
         [this, begun](const grpc::Status& status) {
           End(std::unique_ptr<OneCall>(begun), status);
         });
    return absl::OkStatus();
  }

  template <typename OneCall>
  void End(std::unique_ptr<OneCall> call, const grpc::Status& status) {
    const absl::Status ended = connection_.StatusOf(status, call->stub, call->address);
    if (ended.ok()) {
      call->done(FromWire(call->response));
    } else {
      call->done(ended);
    }
    {
      const ScopedLock lock(mutex_);
      calls_.erase(&call->context);
    }
    // The destructor waits for this: a call must not be the last owner of a channel.
    call.reset();
    const ScopedLock lock(mutex_);
    if (--open_ == 0) ended_.notify_all();
  }

  Connection connection_;
  Mutex mutex_;
  std::condition_variable_any ended_;
  absl::flat_hash_set<grpc::ClientContext*> calls_ ABSL_GUARDED_BY(mutex_);  // may be cancelled
  size_t open_ ABSL_GUARDED_BY(mutex_) = 0;  // number of calls that are not destroyed
};

}  // namespace

std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address,
                                                       certificates::TlsFiles tls) {
  return std::make_unique<CoordinatorClient>(std::move(address), std::move(tls));
}

std::unique_ptr<AsyncCoordinatorClient> MakeAsyncCoordinatorClient(AddressSource address,
                                                                   certificates::TlsFiles tls) {
  return std::make_unique<AsyncClient>(std::move(address), std::move(tls));
}

absl::StatusOr<std::string> Enroll(const std::string& address, const Enrolment& input) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                   ChannelTo(address, {.authority = input.authority_file}));
  v1::EnrollRequest request;
  request.set_token(input.secret);
  request.set_worker(input.worker);
  request.set_request(input.request);
  v1::EnrollResponse response;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       absl::ToChronoMicroseconds(kControlDeadline));
  const grpc::Status status =
      v1::EnrollService::NewStub(channel)->Enroll(&context, request, &response);
  RETURN_IF_ERROR(StatusOfCall(status, address, /*secure=*/true));
  return response.certificate();
}

}  // namespace joseki::worker
