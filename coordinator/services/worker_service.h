#pragma once

#include "coordinator/services/server_calls.h"
#include "coordinator/services/task_pool.h"
#include "coordinator/worker_calls.h"
#include "joseki/v1/worker.grpc.pb.h"

namespace joseki::coordinator {

// proto/joseki/v1/worker.proto over the coordinator: translates, and replies when it does.
class WorkerService : public v1::WorkerService::CallbackService {
 public:
  explicit WorkerService(WorkerCalls& calls) : calls_(calls) {}

  // Replies Unavailable to every held Acquire, and to later ones at once.
  void Close() { held_.Close(); }
  // Replies to the held Acquires of revoked workers.
  void Refuse(const certificates::Revocations& revocations) { held_.Refuse(revocations); }

  grpc::ServerUnaryReactor* Join(grpc::CallbackServerContext* context,
                                 const v1::JoinRequest* request,
                                 v1::JoinResponse* response) override;
  grpc::ServerUnaryReactor* Acquire(grpc::CallbackServerContext* context,
                                    const v1::AcquireRequest* request,
                                    v1::AcquireResponse* response) override;
  grpc::ServerUnaryReactor* Submit(grpc::CallbackServerContext* context,
                                   const v1::SubmitRequest* request,
                                   v1::SubmitResponse* response) override;
  grpc::ServerUnaryReactor* Beat(grpc::CallbackServerContext* context,
                                 const v1::BeatRequest* request,
                                 v1::BeatResponse* response) override;
  grpc::ServerUnaryReactor* Leave(grpc::CallbackServerContext* context,
                                  const v1::LeaveRequest* request,
                                  v1::LeaveResponse* response) override;

 private:
  static constexpr size_t kMostReplies = size_t{1} << 20;

  // Checks that a worker uses its own session. The coordinator refuses unknown ones.
  absl::Status CheckSession(const grpc::CallbackServerContext& context, SessionId session) const;

  WorkerCalls& calls_;
  HeldCalls held_;
  // Writes the writer's replies, so that its next commit can begin meanwhile.
  const std::shared_ptr<TaskPool> replies_ = std::make_shared<TaskPool>(1, kMostReplies);
};

}  // namespace joseki::coordinator
