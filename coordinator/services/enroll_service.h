#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/certificates/authority.h"
#include "base/clock.h"
#include "coordinator/services/server_calls.h"
#include "coordinator/services/task_pool.h"
#include "joseki/v1/enroll.grpc.pb.h"

namespace joseki::coordinator {

// proto/joseki/v1/enroll.proto. Callers need no certificate, so the service has a small pool of its
// own and they can delay only each other.
class EnrollService : public v1::EnrollService::CallbackService {
 public:
  // Without an authority every call is refused.
  EnrollService(std::optional<certificates::Authority> authority, const Clock& clock);

  // Waits for running tasks; no call may come afterwards.
  void Close() { pool_.reset(); }

  grpc::ServerUnaryReactor* Enroll(grpc::CallbackServerContext* context,
                                   const v1::EnrollRequest* request,
                                   v1::EnrollResponse* response) override;

 private:
  const std::optional<certificates::Authority> authority_;
  const Clock& clock_;
  std::optional<TaskPool> pool_;
};

}  // namespace joseki::coordinator
