#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "coordinator/coordinator.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

struct ArtefactInfo {
  Sha256 sha256{};
  uint64_t size = 0;
};

// What the coordinator has to give away, by SHA-256: book snapshots from its database, weights of
// runs, and the files of one folder. No name that comes from outside is ever part of a path: the
// folder is listed, its files are hashed, and a hash leads to the file that was found to have it.
//
// Blocks on disk and database. Thread-safe.
class Artefacts {
 public:
  struct Options {
    std::string db_path;
    std::string folder;                         // of weight files; empty: none
    uint64_t kept_bytes = uint64_t{256} << 20;  // of snapshots and weights, in memory
  };

  // `coordinator` must outlive this.
  Artefacts(Options options, Coordinator& coordinator)
      : options_(std::move(options)), coordinator_(coordinator) {}

  // Reads the folder; an error names it where it cannot be listed.
  absl::Status Scan();

  // NotFound "unknown_artefact".
  absl::StatusOr<ArtefactInfo> Find(const Sha256& sha256);
  // Made once for all that ask; errors as Coordinator::WeightsDelta.
  absl::StatusOr<ArtefactInfo> FindWeights(RunId run, uint32_t have, uint32_t version);

  // Up to `most` bytes from `offset`; empty at the end. NotFound "unknown_artefact" where it is
  // gone (a file that has changed is gone), OutOfRange for an offset beyond the end.
  absl::StatusOr<std::string> Read(const Sha256& sha256, uint64_t offset, uint64_t most);

 private:
  struct File {
    std::string path;
    uint64_t size = 0;
    int64_t changed_ns = 0;
    bool operator==(const File&) const = default;
  };
  struct Kept {
    Sha256 sha256{};
    std::shared_ptr<const std::string> bytes;
  };

  // From memory, else from the database; null if it is neither a snapshot nor kept.
  absl::StatusOr<std::shared_ptr<const std::string>> Bytes(const Sha256& sha256);
  std::shared_ptr<const std::string> Keep(const Sha256& sha256, std::string bytes);

  const Options options_;
  Coordinator& coordinator_;

  std::mutex making_;  // one snapshot is read, or delta encoded, at a time; taken before mutex_
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<Sha256, File> files_;
  std::list<Kept> kept_;  // used last first
  uint64_t kept_bytes_ = 0;
  std::map<std::tuple<RunId, uint32_t, uint32_t>, Sha256> weights_;
};

}  // namespace joseki::coordinator
