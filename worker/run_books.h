#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "book/reentry.h"
#include "engine/core/rules.h"
#include "worker/artefact_cache.h"
#include "worker/artefact_port.h"
#include "worker/coordinator_port.h"

namespace joseki::worker {

// The books that the games of runs with re-entry follow, shared by all seats of this process: the
// frozen structure once a run, the weights by version, each brought up to date by what has changed.
// Thread-safe.
class RunBooks {
 public:
  // Everything handed in must outlive this.
  RunBooks(RulesFinder rules_of, ArtefactCache& cache, ArtefactPort& port)
      : rules_of_(std::move(rules_of)), cache_(cache), port_(port) {}

  // The book of `play` with the weights of `version`, and that of its opponent. Blocks while one
  // slot fetches it; `progress` as ArtefactCache's, for every slot that waits. Errors of port and
  // cache as they are, and "bad_snapshot" or "bad_weights_delta" for bytes that are what their hash
  // says and no book.
  absl::StatusOr<std::shared_ptr<const book::AnswerBook>> Get(
      const std::string& epoch, RunId run, const PlaySpec& play, uint32_t version,
      const ArtefactCache::Progress& progress, std::stop_token stop);

 private:
  using WeightsPtr = std::shared_ptr<const book::Weights>;
  struct Entry {
    std::mutex mutex;
    std::condition_variable_any changed;
    // Guarded by mutex.
    bool fetching = false;  // by one slot, which alone changes the rest
    uint64_t progress = 0;  // of that slot
    std::shared_ptr<const book::Graph> graph;
    std::shared_ptr<const book::PlayBook> opponent;
    std::shared_ptr<const book::PlayBook> own;
    bool ready = false;                      // of a match: all of it is there
    std::map<uint32_t, WeightsPtr> weights;  // the newest few
  };
  struct Fetched {
    std::shared_ptr<const book::Graph> graph;
    std::shared_ptr<const book::PlayBook> opponent;
    std::shared_ptr<const book::PlayBook> own;
    WeightsPtr weights;
  };

  // Structure and opponent's book (where `graph` is null) and weights, from `have` if that leads
  // there.
  absl::StatusOr<Fetched> Fetch(RunId run, const PlaySpec& play, uint32_t version,
                                std::shared_ptr<const book::Graph> graph, uint32_t have,
                                const WeightsPtr& before, const ArtefactCache::Progress& progress,
                                const std::stop_token& stop);
  // Null for no hash.
  absl::StatusOr<std::shared_ptr<const book::PlayBook>> FetchPlayBook(
      const Rules& rules, const std::string& sha256, const ArtefactCache::Progress& progress,
      const std::stop_token& stop);
  // Worked out by the rules once on a node: its links are then kept beside it.
  absl::StatusOr<std::shared_ptr<const book::Graph>> FetchGraph(
      const Rules& rules, const std::string& snapshot, const ArtefactCache::Progress& progress,
      const std::stop_token& stop);

  const RulesFinder rules_of_;
  ArtefactCache& cache_;
  ArtefactPort& port_;

  std::mutex mutex_;
  std::map<std::pair<std::string, RunId>, std::shared_ptr<Entry>> entries_;  // guarded by mutex_
};

}  // namespace joseki::worker
