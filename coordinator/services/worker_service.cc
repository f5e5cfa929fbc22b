#include "coordinator/services/worker_service.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "coordinator/services/from_wire.h"
#include "coordinator/services/to_wire.h"

namespace joseki::coordinator {
namespace {

// A callback for the coordinator: the value or the error becomes the reply.
template <typename Value, typename Response>
auto ReplyWith(const std::shared_ptr<PendingCall>& call, Response* response) {
  return [call, response](const absl::StatusOr<Value>& value) {
    if (!value.ok()) return call->Fail(value.status());
    call->Reply([&] { *response = ToWire(*value); });
  };
}

// Runs `reply` on the pool's thread. The callback shares the pool, which may thus outlive the
// service.
template <typename Value, typename Reply>
auto OnPool(std::shared_ptr<TaskPool> pool, Reply reply) {
  return [pool = std::move(pool), reply = std::move(reply)](absl::StatusOr<Value> value) {
    std::function<void()> task = [reply, value = std::move(value)] { reply(value); };
    // A refused task is untouched.
    if (!pool->Post(std::move(task))) task();  // NOLINT(bugprone-use-after-move)
  };
}

// Replaces a valid request by the error if the caller may not make it.
template <typename Input>
void Demand(const absl::Status& status, absl::StatusOr<Input>& input) {
  if (input.ok() && !status.ok()) input = status;
}

}  // namespace

absl::Status WorkerService::CheckSession(const grpc::CallbackServerContext& context,
                                         SessionId session) const {
  const std::shared_ptr<const grpc::AuthContext> connection = context.auth_context();
  if (!CallerOf(*connection)) return absl::OkStatus();
  const std::string worker = calls_.WorkerOf(session);
  return worker.empty() ? absl::OkStatus() : CheckIsWorker(*connection, worker);
}

grpc::ServerUnaryReactor* WorkerService::Join(grpc::CallbackServerContext* context,
                                              const v1::JoinRequest* request,
                                              v1::JoinResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<JoinInput> input = FromWire(*request);
  Demand(CheckIsWorker(*context->auth_context(), request->worker()), input);
  if (input.ok()) {
    calls_.Join(*std::move(input), ReplyWith<JoinOutput>(call, response));
  } else {
    call->Fail(input.status());
  }
  return call.get();
}

grpc::ServerUnaryReactor* WorkerService::Acquire(grpc::CallbackServerContext* context,
                                                 const v1::AcquireRequest* request,
                                                 v1::AcquireResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<AcquireInput> input = FromWire(*request);
  Demand(CheckSession(*context, request->session()), input);
  if (!input.ok()) {
    call->Fail(input.status());
  } else if (held_.Add(call, CallerOf(*context->auth_context()))) {
    calls_.Acquire(*std::move(input),
                   OnPool<AcquireOutput>(replies_, ReplyWith<AcquireOutput>(call, response)));
  }
  return call.get();
}

grpc::ServerUnaryReactor* WorkerService::Submit(grpc::CallbackServerContext* context,
                                                const v1::SubmitRequest* request,
                                                v1::SubmitResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<SubmitInput> input = FromWire(*request);
  Demand(CheckSession(*context, request->session()), input);
  if (input.ok()) {
    calls_.Submit(*std::move(input),
                  OnPool<SubmitOutput>(replies_, ReplyWith<SubmitOutput>(call, response)));
  } else {
    call->Fail(input.status());
  }
  return call.get();
}

grpc::ServerUnaryReactor* WorkerService::Beat(grpc::CallbackServerContext* context,
                                              const v1::BeatRequest* request,
                                              v1::BeatResponse* response) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<std::vector<LeaseProgress>> progress = FromWire(*request);
  Demand(CheckSession(*context, request->session()), progress);
  if (progress.ok()) {
    ReplyWith<BeatOutput>(
        call, response)(calls_.Beat(request->session(), *progress, CostFromWire(*request)));
  } else {
    call->Fail(progress.status());
  }
  return call.get();
}

grpc::ServerUnaryReactor* WorkerService::Leave(grpc::CallbackServerContext* context,
                                               const v1::LeaveRequest* request,
                                               v1::LeaveResponse*) {
  const std::shared_ptr<PendingCall> call = PendingCall::Begin();
  absl::StatusOr<std::vector<SlotRef>> unplayed = FromWire(*request);
  Demand(CheckSession(*context, request->session()), unplayed);
  if (unplayed.ok()) {
    calls_.Leave(request->session(), *std::move(unplayed), [call](absl::Status status) {
      if (!status.ok()) return call->Fail(status);
      call->Reply([] {});
    });
  } else {
    call->Fail(unplayed.status());
  }
  return call.get();
}

}  // namespace joseki::coordinator
