#pragma once

namespace joseki {

// To be called first in the main function of a program that says by itself what goes wrong: gRPC's
// own lines on stderr, one for each broken connection, come no more, unless the environment asks
// for them by GRPC_VERBOSITY.
void SilenceGrpcLog();

}  // namespace joseki
