#include "worker/run_books.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::worker {
namespace {

// Slots of the versions around the newest may still be in hand.
constexpr size_t kKeptVersions = 4;
constexpr std::chrono::milliseconds kLook(100);

}  // namespace

absl::StatusOr<std::shared_ptr<const book::AnswerBook>> RunBooks::Get(
    const std::string& epoch, RunId run, const PlaySpec& play, uint32_t version,
    const ArtefactCache::Progress& progress, std::stop_token stop) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& found = entries_[{epoch, run}];
    if (found == nullptr) found = std::make_shared<Entry>();
    entry = found;
  }
  std::unique_lock lock(entry->mutex, std::defer_lock);
  for (uint64_t seen = entry->progress; !lock.try_lock_for(kLook);) {
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    if (const uint64_t now = entry->progress; now != seen) {
      seen = now;
      progress();
    }
  }
  const ArtefactCache::Progress told = [&] {
    ++entry->progress;
    progress();
  };
  if (entry->graph == nullptr) {
    ASSIGN_OR_RETURN(entry->graph, FetchGraph(play.snapshot, told, stop));
  }
  if (entry->weights.count(version) == 0) {
    RETURN_IF_ERROR(FetchWeights(*entry, run, version, told, stop));
  }
  return std::make_shared<const book::AnswerBook>(
      book::AnswerBook{entry->graph, entry->weights.at(version)});
}

absl::StatusOr<std::shared_ptr<const book::Graph>> RunBooks::FetchGraph(
    const std::string& snapshot, const ArtefactCache::Progress& progress,
    const std::stop_token& stop) {
  Sha256 sha256{};
  std::copy_n(snapshot.begin(), std::min(snapshot.size(), sha256.size()), sha256.begin());
  std::shared_ptr<const MappedFile> file = cache_.Find(sha256);
  if (file == nullptr) {
    ASSIGN_OR_RETURN(ArtefactManifest manifest, port_.Manifest(sha256, stop));
    manifest.sha256 = sha256;  // what was asked for, whatever the answer says
    ASSIGN_OR_RETURN(file, cache_.Get(manifest, port_, progress, stop));
  }
  ASSIGN_OR_RETURN(book::Graph graph, book::Graph::Parse(rules_, file->bytes()));
  return std::make_shared<const book::Graph>(std::move(graph));
}

absl::Status RunBooks::FetchWeights(Entry& entry, RunId run, uint32_t version,
                                    const ArtefactCache::Progress& progress,
                                    const std::stop_token& stop) {
  const auto edges = static_cast<uint32_t>(entry.graph->edge_count());
  // From the newest version before this one; if that does not lead there, from nothing.
  const auto later = entry.weights.lower_bound(version);
  const uint32_t newest = later == entry.weights.begin() ? 0 : std::prev(later)->first;
  for (uint32_t have = newest;; have = 0) {
    ASSIGN_OR_RETURN(const ArtefactManifest manifest,
                     port_.Manifest(WeightsName{run, have, version}, stop));
    ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                     cache_.Get(manifest, port_, progress, stop));
    ASSIGN_OR_RETURN(const book::WeightsDeltaHeader header,
                     book::ReadWeightsDeltaHeader(file->bytes()));
    absl::StatusOr<book::Weights> weights = book::ApplyWeightsDelta(
        header.from == 0 || have == 0 ? book::Weights() : *entry.weights.at(have), file->bytes(),
        edges);
    const bool fits = header.to == version && (header.from == 0 || header.from == have);
    if (!fits || !weights.ok()) {
      if (have != 0) continue;
      if (!weights.ok()) return weights.status();
      return MakeProblem({.code = "bad_weights_delta",
                          .found = absl::StrCat("weights ", header.to, " from ", header.from),
                          .expected = absl::StrCat("weights ", version)});
    }
    entry.weights[version] = std::make_shared<const book::Weights>(*std::move(weights));
    while (entry.weights.size() > kKeptVersions && entry.weights.begin()->first < version) {
      entry.weights.erase(entry.weights.begin());
    }
    return absl::OkStatus();
  }
}

}  // namespace joseki::worker
