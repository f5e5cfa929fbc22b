#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/certificates/tls_files.h"
#include "worker/coordinator_port.h"
#include "worker/enrolment.h"

namespace joseki::worker {

// The coordinator's address, "host:port"; queried before every new connection, so that an address
// file may change while the worker runs.
using AddressSource = std::function<absl::StatusOr<std::string>()>;

// A client for the coordinator over gRPC. Each verb is one attempt with a deadline. gRPC's own
// retries are off; after a lost connection the next verb makes a new one. The files of `tls` hold
// both sides' identities and are read for every new connection; without them the connection is
// plaintext.
std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address,
                                                       certificates::TlsFiles tls = {});

// A client for callers that run many workers without a thread for each (`joseki loadgen`). A verb
// starts one attempt and returns. `done` is called once, later, on a gRPC thread, which it must not
// block. If the attempt could not be started the verb returns the error, and `done` is never
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

// Requests a certificate (proto/joseki/v1/enroll.proto) in one attempt; an Enroller.
absl::StatusOr<std::string> Enroll(const std::string& address, const Enrolment& input);

}  // namespace joseki::worker
