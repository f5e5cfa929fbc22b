#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/mutex.h"
#include "worker/artefact_port.h"

namespace joseki::worker {

// A folder of artefacts by SHA-256, shared by all seats and processes of a node.
//
//   <sha256>        complete; verified before it got this name
//   <sha256>.part   the bytes so far; a later download resumes there
//   <sha256>.notes  data derived by one process, for the next that opens the artefact
//   lock.0 .. f     held by the process that downloads an artefact whose name begins so
//
// The holder of the lock downloads; others wait for the lock and then find the file. A killed
// process releases its lock, and the next one resumes. Files on disk are trusted no more than the
// network. A process hashes each one when it first opens it, and fetches it again if the hash is
// wrong. Thread-safe.
class ArtefactCache {
 public:
  struct Options {
    std::string folder;                            // made at first use
    uint64_t most_bytes = uint64_t{4} << 30;       // beyond, the least recently used are removed
    absl::Duration look = absl::Milliseconds(50);  // polling interval for the lock
  };
  // Called regularly while bytes arrive, in whichever process; not while the transfer stalls.
  using Progress = std::function<void()>;

  explicit ArtefactCache(Options options) : options_(std::move(options)) {}

  // The artefact if it is here; null if it is missing or damaged.
  std::shared_ptr<const MappedFile> Find(const Sha256& sha256);

  // The artefact, from here or through `port`. Blocks. DataLoss "bad_artefact" if the received
  // bytes have the wrong hash twice in a row. Errors of the port and the disk are passed on;
  // received bytes are kept.
  absl::StatusOr<std::shared_ptr<const MappedFile>> Get(const ArtefactManifest& manifest,
                                                        ArtefactPort& port,
                                                        const Progress& progress,
                                                        std::stop_token stop);

  // Data derived from an artefact; null if there is none. The caller must verify that the data
  // belong to that artefact and are complete.
  std::shared_ptr<const MappedFile> FindNotes(const Sha256& sha256) const;
  // Stores such data. Disk errors are ignored: the next process derives the data once more.
  void KeepNotes(const Sha256& sha256, std::string_view notes) const;

 private:
  std::string PathOf(const Sha256& sha256) const;
  // Loads from disk and checks the hash. NotFound, or DataLoss "bad_artefact".
  absl::StatusOr<std::shared_ptr<const MappedFile>> Load(const Sha256& sha256);
  absl::Status Download(const ArtefactManifest& manifest, ArtefactPort& port,
                        const Progress& progress, const std::stop_token& stop);
  void RemoveOldest(const Sha256& but_not);

  const Options options_;
  Mutex mutex_;
  std::map<Sha256, std::weak_ptr<const MappedFile>> open_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::worker
