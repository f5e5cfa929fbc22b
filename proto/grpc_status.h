#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace joseki {

// The same code and message on the other side of the wire; a Problem travels in the error details.
grpc::Status ToGrpc(const absl::Status& status);
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace joseki
