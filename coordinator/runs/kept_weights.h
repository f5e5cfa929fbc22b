#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "book/weights_delta.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Weights of all versions of runs with re-entry. The last few are in memory, all of them in the
// database. Thread-safe.
class KeptWeights {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // `kept` versions stay in memory, over all runs.
  explicit KeptWeights(std::string db_path, size_t kept = 16)
      : db_path_(std::move(db_path)), kept_(kept) {}

  void Put(RunId run, uint32_t version, Vector weights);

  // Weights from memory; null if they are no longer there.
  Vector Recent(RunId run, uint32_t version);
  // Weights from memory, or rebuilt from the database over a separate connection. Errors as
  // ReadWeights.
  absl::StatusOr<Vector> Get(RunId run, uint32_t version);

  // Bytes that turn a worker's version `have` (0: none) into `version`. The whole vector if `have`
  // is no longer in memory or the delta would not be smaller; else a delta.
  absl::StatusOr<std::string> Delta(RunId run, uint32_t have, uint32_t version);

 private:
  struct Entry {
    RunId run = 0;
    uint32_t version = 0;
    Vector weights;
  };

  const std::string db_path_;
  const size_t kept_;
  Mutex mutex_;
  std::list<Entry> recent_ ABSL_GUARDED_BY(mutex_);  // most recently used first
};

}  // namespace joseki::coordinator
