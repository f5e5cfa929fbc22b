#pragma once

#include <memory>
#include <string>

#include "base/certificates/tls_files.h"
#include "worker/artefact_port.h"
#include "worker/coordinator_client.h"

namespace joseki::worker {

// A client for the coordinator's artefacts over gRPC, on a connection of its own, so that a
// transfer never delays a game. `worker` is the caller's name.
std::unique_ptr<ArtefactPort> MakeArtefactClient(AddressSource address, std::string worker,
                                                 certificates::TlsFiles tls = {});

}  // namespace joseki::worker
