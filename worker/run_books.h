#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "book/reentry.h"
#include "engine/core/rules.h"
#include "worker/artefact_cache.h"
#include "worker/artefact_port.h"
#include "worker/coordinator_port.h"

namespace joseki::worker {

// The books that games of runs with re-entry follow, shared by all seats of this process. A run has
// one frozen structure, and weights by version, each made from an earlier one by its changes. Of
// the runs whose books no game uses, the last few are kept. Thread-safe.
class RunBooks {
 public:
  // All arguments must outlive this object.
  RunBooks(RulesFinder rules_of, ArtefactCache& cache, ArtefactPort& port)
      : rules_of_(std::move(rules_of)), cache_(cache), port_(port) {}

  // The book of `play` with the weights of `version`, and its opponent's. Blocks while one slot
  // fetches it; `progress` is called as in ArtefactCache, for every slot that waits. Errors of port
  // and cache are passed on. "bad_snapshot" or "bad_weights_delta" if the bytes match their hash
  // but are no book.
  absl::StatusOr<std::shared_ptr<const book::AnswerBook>> Get(
      const std::string& epoch, RunId run, const PlaySpec& play, uint32_t version,
      const ArtefactCache::Progress& progress, std::stop_token stop);

 private:
  using WeightsPtr = std::shared_ptr<const book::Weights>;
  struct Entry {
    // The book with the weights of `version`; null if some of it is not here.
    std::shared_ptr<const book::AnswerBook> Find(const PlaySpec& play, uint32_t version) const
        ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

    Mutex mutex;
    std::condition_variable_any changed;
    // Fetching is done by one slot, which alone changes the members below.
    bool fetching ABSL_GUARDED_BY(mutex) = false;
    uint64_t progress ABSL_GUARDED_BY(mutex) = 0;  // of that slot
    std::shared_ptr<const book::Graph> graph ABSL_GUARDED_BY(mutex);
    std::shared_ptr<const book::PlayBook> opponent ABSL_GUARDED_BY(mutex);
    std::shared_ptr<const book::PlayBook> own ABSL_GUARDED_BY(mutex);
    bool ready ABSL_GUARDED_BY(mutex) = false;  // of a match: all of it is here
    // The newest few.
    std::map<uint32_t, WeightsPtr> weights ABSL_GUARDED_BY(mutex);
  };
  struct Kept {
    std::shared_ptr<Entry> entry;
    uint64_t use = 0;  // number of its last use
  };
  struct Fetched {
    std::shared_ptr<const book::Graph> graph;
    std::shared_ptr<const book::PlayBook> opponent;
    std::shared_ptr<const book::PlayBook> own;
    WeightsPtr weights;
  };

  std::shared_ptr<Entry> EntryOf(const std::string& epoch, RunId run);
  // Whether a slot fetches from `entry`, or a game follows its book.
  static bool IsUsed(const std::shared_ptr<Entry>& entry);
  // Removes the entries that are not used, but for the last few; returns them.
  std::vector<std::shared_ptr<Entry>> TakeUnused() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Fetches the structure and the opponent's book if `graph` is null, and the weights, as changes
  // to those of `have` where that is possible.
  absl::StatusOr<Fetched> Fetch(RunId run, const PlaySpec& play, uint32_t version,
                                std::shared_ptr<const book::Graph> graph, uint32_t have,
                                const WeightsPtr& before, const ArtefactCache::Progress& progress,
                                const std::stop_token& stop);
  // Null if `sha256` is empty.
  absl::StatusOr<std::shared_ptr<const book::PlayBook>> FetchPlayBook(
      const Rules& rules, const std::string& sha256, const ArtefactCache::Progress& progress,
      const std::stop_token& stop);
  // Loads a book's structure. Its links are computed by the rules once per node, then cached beside
  // it.
  absl::StatusOr<std::shared_ptr<const book::Graph>> FetchGraph(
      const Rules& rules, const std::string& snapshot, const ArtefactCache::Progress& progress,
      const std::stop_token& stop);

  const RulesFinder rules_of_;
  ArtefactCache& cache_;
  ArtefactPort& port_;

  Mutex mutex_;
  std::map<std::pair<std::string, RunId>, Kept> entries_ ABSL_GUARDED_BY(mutex_);
  uint64_t uses_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace joseki::worker
