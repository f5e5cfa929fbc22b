#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/kept_weights.h"

namespace joseki::coordinator {

struct ArtefactInfo {
  Sha256 sha256{};
  uint64_t size = 0;
};

// The artefacts that the coordinator serves, by SHA-256: book snapshots from its database, and
// weights of runs.
//
// Blocks on the database. Thread-safe.
class Artefacts {
 public:
  struct Options {
    std::string db_path;
    uint64_t kept_bytes = uint64_t{256} << 20;  // of snapshots and weights, in memory
  };

  // `weights` must outlive this.
  Artefacts(Options options, KeptWeights& weights)
      : options_(std::move(options)), weights_(weights) {}

  // NotFound "unknown_artefact".
  absl::StatusOr<ArtefactInfo> Find(const Sha256& sha256);
  // Makes the weights once for all callers; errors as KeptWeights::Delta.
  absl::StatusOr<ArtefactInfo> FindWeights(RunId run, uint32_t have, uint32_t version);

  // Up to `most` bytes from `offset`; empty at the end. NotFound "unknown_artefact" if it is gone,
  // OutOfRange for an offset beyond the end.
  absl::StatusOr<std::string> Read(const Sha256& sha256, uint64_t offset, uint64_t most);

 private:
  struct Kept {
    Sha256 sha256{};
    std::shared_ptr<const std::string> bytes;
  };

  // The bytes from memory, else from the database; null if it is neither a snapshot nor kept.
  absl::StatusOr<std::shared_ptr<const std::string>> Bytes(const Sha256& sha256);
  std::shared_ptr<const std::string> Keep(const Sha256& sha256, std::string bytes);

  const Options options_;
  KeptWeights& weights_;

  Mutex making_;  // one snapshot is read, or delta encoded, at a time; taken before mutex_
  Mutex mutex_;
  std::list<Kept> kept_ ABSL_GUARDED_BY(mutex_);  // most recently used first
  uint64_t kept_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::tuple<RunId, uint32_t, uint32_t>, Sha256> deltas_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::coordinator
