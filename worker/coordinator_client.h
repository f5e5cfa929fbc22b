#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/certificates/tls_files.h"
#include "worker/coordinator_port.h"
#include "worker/enrolment.h"

namespace joseki::worker {

// The coordinator's address, "host:port"; asked before every new connection, so that an address
// file may change while the worker runs.
using AddressSource = std::function<absl::StatusOr<std::string>()>;

// The coordinator over gRPC: with artefact_client the only file of the worker that knows it. Each
// verb is one attempt with a deadline; gRPC's own retries are off, and after a lost connection the
// next verb makes a new one. Whom the coordinator believes us to be, and we it, is said by the
// files of `tls`, which are read for every new connection; without them it is spoken to in clear.
std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address,
                                                       certificates::TlsFiles tls = {});

// A client for callers that play many workers at once without a thread for each (`joseki loadgen`).
// A verb begins one attempt and returns; `done` is called once, later, on a thread of gRPC's, which
// it must not block. If no attempt could be made the verb returns the reason, and `done` is never
// called. Thread-safe.
class AsyncCoordinatorClient {
 public:
  template <typename Output>
  using Done = std::function<void(absl::StatusOr<Output>)>;

  // Cancels open calls, and waits until each `done` has been called.
  virtual ~AsyncCoordinatorClient() = default;

  virtual absl::Status Join(const JoinInput& input, Done<Session> done) = 0;
  virtual absl::Status Acquire(const Session& session, const AcquireInput& input,
                               Done<AcquireOutput> done) = 0;
  virtual absl::Status Submit(SessionId session, const SubmitInput& input,
                              Done<SubmitOutput> done) = 0;
};
std::unique_ptr<AsyncCoordinatorClient> MakeAsyncCoordinatorClient(AddressSource address,
                                                                   certificates::TlsFiles tls = {});

// Asks for a certificate (proto/joseki/v1/enroll.proto): an Enroller's one attempt.
absl::StatusOr<std::string> Enroll(const std::string& address, const Enrolment& input);

}  // namespace joseki::worker
