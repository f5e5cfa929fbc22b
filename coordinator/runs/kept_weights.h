#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/weights_delta.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A version of a run's weights that is new, to be written; encoding it is work for the writer.
struct NewWeights {
  RunId run = 0;
  uint32_t version = 0;
  uint64_t seq = 0;                             // the last game counted in them
  uint64_t games = 0;                           // of the run by then
  uint64_t trust_change = 0;                    // that the evidence behind them was of
  std::shared_ptr<const book::Weights> before;  // of the version before; null: none at hand
  std::shared_ptr<const book::Weights> after;
  uint32_t priors = 0;  // version of the run's priors; 0: none
};

// As a row of the database: a delta from the version before, or, every kWeightsChain versions, the
// whole vector.
absl::Status WriteWeights(book::Store& store, const NewWeights& weights);

// The weights that runs with re-entry have had: the last few in memory, all of them in the
// database. Thread-safe.
class KeptWeights {
 public:
  using Vector = std::shared_ptr<const book::Weights>;

  // `kept` versions stay in memory, over all runs.
  explicit KeptWeights(std::string db_path, size_t kept = 16)
      : db_path_(std::move(db_path)), kept_(kept) {}

  void Put(RunId run, uint32_t version, Vector weights);

  // From memory; null if it is not there any more.
  Vector Recent(RunId run, uint32_t version);
  // From memory, or rebuilt from the database over a connection of its own. Errors as ReadWeights.
  absl::StatusOr<Vector> Get(RunId run, uint32_t version);

  // Bytes that lead a worker from `have` (0: nothing) to `version`: a delta, or the whole
  // vector where `have` is no longer in memory or the delta would not be smaller.
  absl::StatusOr<std::string> Delta(RunId run, uint32_t have, uint32_t version);

 private:
  struct Entry {
    RunId run = 0;
    uint32_t version = 0;
    Vector weights;
  };

  const std::string db_path_;
  const size_t kept_;
  std::mutex mutex_;
  std::list<Entry> recent_;  // used last first; guarded by mutex_
};

}  // namespace joseki::coordinator
