#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "coordinator/artefacts.h"
#include "coordinator/reader_calls.h"
#include "coordinator/scheduling/transfer_pace.h"
#include "coordinator/services/server_calls.h"
#include "coordinator/services/task_pool.h"
#include "joseki/v1/artefact.grpc.pb.h"

namespace joseki::coordinator {

// proto/joseki/v1/artefact.proto. Files, database and encoding are work for the pool; no thread
// waits for the rate or for a slow caller.
class ArtefactService : public v1::ArtefactService::CallbackService {
 public:
  // `bytes_per_second` for all callers together; 0: no limit. `pool` must end before the other
  // arguments do.
  ArtefactService(Artefacts& artefacts, const ReaderCalls& calls, double bytes_per_second,
                  const Clock& clock, TaskPool& pool);

  grpc::ServerUnaryReactor* GetManifest(grpc::CallbackServerContext* context,
                                        const v1::ManifestRequest* request,
                                        v1::Manifest* response) override;
  grpc::ServerWriteReactor<v1::ArtefactChunk>* Fetch(grpc::CallbackServerContext* context,
                                                     const v1::FetchRequest* request) override;

 private:
  class Stream;

  absl::StatusOr<v1::Manifest> ManifestOf(const v1::ManifestRequest& request);
  // Takes that many bytes from the common rate; returns the delay before they may be sent.
  absl::Duration Pace(size_t bytes);
  // Gives back bytes that were taken and not sent.
  void Return(size_t bytes);

  Artefacts& artefacts_;
  const ReaderCalls& calls_;
  const double bytes_per_second_;
  const Clock& clock_;
  TaskPool& pool_;

  Mutex mutex_;
  TokenBucket bucket_ ABSL_GUARDED_BY(mutex_);  // unused without a limit
};

}  // namespace joseki::coordinator
