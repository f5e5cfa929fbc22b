#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>

#include "coordinator/operator_calls.h"
#include "coordinator/services/task_pool.h"
#include "coordinator/services/upload.h"
#include "joseki/v1/operator.pb.h"

namespace joseki::coordinator {

// Takes one message of a book; the first one announces the whole.
absl::Status TakePiece(const v1::PutBookRequest& message, Upload& upload);

// OperatorService.PutBook: collects the pieces, then stores the book on the pool. `busy` is set
// meanwhile, and a second call is refused. All arguments must outlive the call. Deletes itself.
grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(std::atomic<bool>& busy, TaskPool& pool,
                                                     OperatorCalls& calls, size_t most_bytes,
                                                     v1::PutBookResponse* response);

}  // namespace joseki::coordinator
