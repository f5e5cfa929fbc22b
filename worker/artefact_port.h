#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "worker/coordinator_port.h"

// The source of large objects, as proto/joseki/v1/artefact.proto defines it.
namespace joseki::worker {

// The weights of a run's book, as changes from the version that the worker has.
struct WeightsName {
  RunId run = 0;
  uint32_t have = 0;  // 0: none
  uint32_t version = 0;
};

struct ArtefactManifest {
  Sha256 sha256{};
  uint64_t size = 0;
  absl::Duration start_after;  // delay before fetching, so that workers do not all begin at once
};

// Receives the next bytes of an artefact, from `offset` on; an error ends the transfer.
using ChunkSink = std::function<absl::Status(uint64_t offset, std::string_view bytes)>;

// A source of artefacts. Each verb is one attempt; retries are the caller's. Cancelled soon after
// `stop` is requested; NotFound where the coordinator has no such artefact. Thread-safe.
class ArtefactPort {
 public:
  virtual ~ArtefactPort() = default;

  virtual absl::StatusOr<ArtefactManifest> Manifest(const Sha256& sha256, std::stop_token stop) = 0;
  virtual absl::StatusOr<ArtefactManifest> Manifest(const WeightsName& weights,
                                                    std::stop_token stop) = 0;
  // Fetches the bytes from `offset` on.
  virtual absl::Status Fetch(const Sha256& sha256, uint64_t offset, const ChunkSink& sink,
                             std::stop_token stop) = 0;
};

}  // namespace joseki::worker
