#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>

#include "coordinator/coordinator.h"
#include "coordinator/services/task_pool.h"
#include "joseki/v1/operator.pb.h"

namespace joseki::coordinator {

// OperatorService.PutBook: collects the pieces, then has them kept on the pool. `busy` is set while
// it does, and another one is refused; all of the arguments must outlive the call. Deletes itself.
grpc::ServerReadReactor<v1::PutBookRequest>* PutBook(std::atomic<bool>& busy, TaskPool& pool,
                                                     Coordinator& coordinator, size_t most_bytes,
                                                     v1::PutBookResponse* response);

}  // namespace joseki::coordinator
