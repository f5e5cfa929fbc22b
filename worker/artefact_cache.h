#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "worker/artefact_port.h"

namespace joseki::worker {

// A folder of artefacts by SHA-256, shared by all seats and processes of a node.
//
//   <sha256>        whole, and verified before it was given this name
//   <sha256>.part   as much as has arrived; a later download goes on from there
//   <sha256>.notes  what a process has worked out of it, for the next one that opens it
//   lock.0 .. f     locked by the process that downloads one whose name begins so
//
// Whoever holds the lock downloads, the others wait for it and find the file. A process that is
// killed gives its lock up, and the next one resumes. What is on disk is believed no more than what
// arrives: it is hashed when a process first opens it, and fetched again if it is another.
// Thread-safe.
class ArtefactCache {
 public:
  struct Options {
    std::string folder;                            // made when it is first needed
    uint64_t most_bytes = uint64_t{4} << 30;       // beyond, those used longest ago are removed
    absl::Duration look = absl::Milliseconds(50);  // how often a waiting one looks for the lock
  };
  // Called now and then while bytes arrive, by whichever process; not while nothing happens.
  using Progress = std::function<void()>;

  explicit ArtefactCache(Options options) : options_(std::move(options)) {}

  // The artefact if it is here; null if it is not, or is damaged.
  std::shared_ptr<const MappedFile> Find(const Sha256& sha256);

  // The artefact, from here or through `port`. Blocks. DataLoss "bad_artefact" if what arrives does
  // not hash to its name twice in a row; errors of the port and the disk as they are; what has
  // arrived is kept.
  absl::StatusOr<std::shared_ptr<const MappedFile>> Get(const ArtefactManifest& manifest,
                                                        ArtefactPort& port,
                                                        const Progress& progress,
                                                        std::stop_token stop);

  // Data derived from an artefact; null if there is none. The caller must verify that it belongs to
  // that artefact and is whole.
  std::shared_ptr<const MappedFile> FindNotes(const Sha256& sha256) const;
  // Without them the next process works it out again: an error of the disk is none here.
  void KeepNotes(const Sha256& sha256, std::string_view notes) const;

 private:
  std::string PathOf(const Sha256& sha256) const;
  // From the disk, hashed. NotFound, or DataLoss "bad_artefact".
  absl::StatusOr<std::shared_ptr<const MappedFile>> Load(const Sha256& sha256);
  absl::Status Download(const ArtefactManifest& manifest, ArtefactPort& port,
                        const Progress& progress, const std::stop_token& stop);
  void RemoveOldest(const Sha256& but_not);

  const Options options_;
  std::mutex mutex_;
  std::map<Sha256, std::weak_ptr<const MappedFile>> open_;  // guarded by mutex_
};

}  // namespace joseki::worker
