#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "coordinator/operator_calls.h"
#include "coordinator/services/server_calls.h"
#include "coordinator/services/task_pool.h"
#include "coordinator/services/upload.h"
#include "engine/core/rules.h"
#include "joseki/v1/operator.grpc.pb.h"

namespace joseki::coordinator {

// Takes one message of an import. The first one, kept as `header` without its bytes, announces the
// whole file.
absl::Status TakePiece(const v1::ImportRequest& message, v1::ImportRequest& header, Upload& upload);

// proto/joseki/v1/operator.proto. Calls that wait for a commit run on the pool. An import checks
// the file in memory and writes it in one transaction over its own connection; SQLite makes it
// alternate with the coordinator's writer.
class OperatorService : public v1::OperatorService::CallbackService {
 public:
  static constexpr size_t kMaxImportBytes = size_t{1} << 30;

  // `pool` must end before `calls` do.
  OperatorService(OperatorCalls& calls, const Rules& rules, std::string db_path, TaskPool& pool)
      : calls_(calls), rules_(rules), db_path_(std::move(db_path)), pool_(pool) {}

  grpc::ServerUnaryReactor* CreateRun(grpc::CallbackServerContext* context,
                                      const v1::CreateRunRequest* request,
                                      v1::CreateRunResponse* response) override;
  grpc::ServerUnaryReactor* PauseRun(grpc::CallbackServerContext* context,
                                     const v1::RunRequest* request,
                                     v1::RunResponse* response) override;
  grpc::ServerUnaryReactor* ResumeRun(grpc::CallbackServerContext* context,
                                      const v1::RunRequest* request,
                                      v1::RunResponse* response) override;
  grpc::ServerUnaryReactor* StopRun(grpc::CallbackServerContext* context,
                                    const v1::RunRequest* request,
                                    v1::RunResponse* response) override;
  grpc::ServerUnaryReactor* ExtendRun(grpc::CallbackServerContext* context,
                                      const v1::ExtendRunRequest* request,
                                      v1::ExtendRunResponse* response) override;
  grpc::ServerReadReactor<v1::ImportRequest>* Import(grpc::CallbackServerContext* context,
                                                     v1::ImportResponse* response) override;
  grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(grpc::CallbackServerContext* context,
                                                       v1::PutBookResponse* response) override;
  grpc::ServerUnaryReactor* SetPriority(grpc::CallbackServerContext* context,
                                        const v1::SetPriorityRequest* request,
                                        v1::SetPriorityResponse* response) override;
  grpc::ServerUnaryReactor* FreeLines(grpc::CallbackServerContext* context,
                                      const v1::FreeLinesRequest* request,
                                      v1::FreeLinesResponse* response) override;
  grpc::ServerUnaryReactor* Undrain(grpc::CallbackServerContext* context,
                                    const v1::DrainRequest* request,
                                    v1::DrainResponse* response) override;
  grpc::ServerUnaryReactor* Drain(grpc::CallbackServerContext* context,
                                  const v1::DrainRequest* request,
                                  v1::DrainResponse* response) override;
  grpc::ServerUnaryReactor* BlockWorker(grpc::CallbackServerContext* context,
                                        const v1::BlockWorkerRequest* request,
                                        v1::BlockWorkerResponse* response) override;
  grpc::ServerUnaryReactor* UnblockWorker(grpc::CallbackServerContext* context,
                                          const v1::UnblockWorkerRequest* request,
                                          v1::UnblockWorkerResponse* response) override;

 private:
  using ChangeState = absl::StatusOr<std::string> (OperatorCalls::*)(RunId);

  grpc::ServerUnaryReactor* Change(const v1::RunRequest& request, v1::RunResponse* response,
                                   ChangeState change);
  void OnPool(const std::shared_ptr<PendingCall>& call, std::function<void()> task);

  OperatorCalls& calls_;
  const Rules& rules_;
  const std::string db_path_;
  TaskPool& pool_;
  std::atomic<bool> importing_ = false;
};

}  // namespace joseki::coordinator
