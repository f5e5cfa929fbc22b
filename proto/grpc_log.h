#pragma once

namespace joseki {

// Suppresses gRPC's own lines on stderr, one per broken connection, unless the environment sets
// GRPC_VERBOSITY. Call first in the main function of a program that reports errors itself.
void SilenceGrpcLog();

}  // namespace joseki
