#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace joseki {

// Converts an error to the equal code and message on the other side of the wire. A Problem and a
// delay before the retry (base/retry_after.h) travel in the error details, as defined in
// joseki/v1/error.proto.
grpc::Status ToGrpc(const absl::Status& status);
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace joseki
