#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/trust/tls_files.h"
#include "worker/coordinator_port.h"
#include "worker/enrolment.h"

namespace joseki::worker {

// Where the coordinator listens, "host:port"; asked before every new connection, so that an address
// file may change while the worker runs.
using AddressSource = std::function<absl::StatusOr<std::string>()>;

// The coordinator over gRPC: with artefact_client the only file of the worker that knows it. Each
// verb is one attempt with a deadline; gRPC's own retries are off, and after a lost connection the
// next verb makes a new one. Whom the coordinator believes us to be, and we it, is said by the
// files of `tls`, which are read for every new connection; without them it is spoken to in clear.
std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address,
                                                       trust::TlsFiles tls = {});

// Asks for a certificate (proto/joseki/v1/enroll.proto): an Enroller's one attempt.
absl::StatusOr<std::string> Enroll(const std::string& address, const Enrolment& input);

}  // namespace joseki::worker
