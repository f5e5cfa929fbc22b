#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>

#include "coordinator/coordinator.h"
#include "coordinator/services/task_pool.h"
#include "coordinator/services/upload.h"
#include "joseki/v1/operator.pb.h"

namespace joseki::coordinator {

// One message of it: the first one promises what the others bring.
absl::Status TakePiece(const v1::PutBookRequest& message, Upload& upload);

// OperatorService.PutBook: collects the pieces, then has them kept on the pool. `busy` is set while
// it does, and another one is refused; all of the arguments must outlive the call. Deletes itself.
grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(std::atomic<bool>& busy, TaskPool& pool,
                                                     Coordinator& coordinator, size_t most_bytes,
                                                     v1::PutBookResponse* response);

}  // namespace joseki::coordinator
