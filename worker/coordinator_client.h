#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "worker/coordinator_port.h"

namespace joseki::worker {

// Where the coordinator listens, "host:port"; asked before every new connection, so that an address
// file may change while the worker runs.
using AddressSource = std::function<absl::StatusOr<std::string>()>;

// The coordinator over gRPC: the only file of the worker that knows it. Each verb is one attempt
// with a deadline; gRPC's own retries are off, and after a lost connection the next verb makes a
// new one.
std::unique_ptr<CoordinatorPort> MakeCoordinatorClient(AddressSource address);

}  // namespace joseki::worker
