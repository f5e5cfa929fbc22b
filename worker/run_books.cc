#include "worker/run_books.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::worker {
namespace {

// Versions kept: slots of those around the newest may still be held.
constexpr size_t kKeptVersions = 4;
// Runs kept whose books no game uses: they may return, and a large book takes long to be read.
constexpr size_t kKeptUnused = 3;
constexpr std::chrono::milliseconds kLook(100);

}  // namespace

std::shared_ptr<const book::AnswerBook> RunBooks::Entry::Find(const PlaySpec& play,
                                                              uint32_t version) const {
  if (!play.re_entry) {
    if (!ready) return nullptr;
    return std::make_shared<const book::AnswerBook>(
        book::AnswerBook{nullptr, nullptr, opponent, own});
  }
  const auto found = weights.find(version);
  if (graph == nullptr || found == weights.end()) return nullptr;
  return std::make_shared<const book::AnswerBook>(book::AnswerBook{graph, found->second, opponent});
}

std::shared_ptr<RunBooks::Entry> RunBooks::EntryOf(const std::string& epoch, RunId run) {
  std::vector<std::shared_ptr<Entry>> unused;  // destroyed without the mutex
  const ScopedLock lock(mutex_);
  Kept& kept = entries_[{epoch, run}];
  kept.use = ++uses_;
  const bool is_new = kept.entry == nullptr;
  if (is_new) kept.entry = std::make_shared<Entry>();
  std::shared_ptr<Entry> entry = kept.entry;
  if (is_new) unused = TakeUnused();
  return entry;
}

bool RunBooks::IsUsed(const std::shared_ptr<Entry>& entry) {
  if (entry.use_count() > 1) return true;
  const ScopedLock lock(entry->mutex);
  return entry->graph.use_count() > 1 || entry->opponent.use_count() > 1 ||
         entry->own.use_count() > 1;
}

std::vector<std::shared_ptr<RunBooks::Entry>> RunBooks::TakeUnused() {
  std::vector<decltype(entries_)::iterator> unused;
  for (auto kept = entries_.begin(); kept != entries_.end(); ++kept) {
    if (!IsUsed(kept->second.entry)) unused.push_back(kept);
  }
  std::sort(unused.begin(), unused.end(),
            [](auto a, auto b) { return a->second.use > b->second.use; });
  std::vector<std::shared_ptr<Entry>> taken;
  for (size_t i = kKeptUnused; i < unused.size(); ++i) {
    taken.push_back(std::move(unused[i]->second.entry));
    entries_.erase(unused[i]);
  }
  return taken;
}

absl::StatusOr<std::shared_ptr<const book::AnswerBook>> RunBooks::Get(
    const std::string& epoch, RunId run, const PlaySpec& play, uint32_t version,
    const ArtefactCache::Progress& progress, std::stop_token stop) {
  const std::shared_ptr<Entry> shared = EntryOf(epoch, run);
  Entry& entry = *shared;
  std::shared_ptr<const book::Graph> graph;
  uint32_t have = 0;  // the newest earlier version, to which the difference is fetched
  WeightsPtr before;
  {
    const ScopedLock lock(entry.mutex);
    for (uint64_t seen = entry.progress;;) {
      if (auto book = entry.Find(play, version)) return book;
      if (!entry.fetching) break;
      if (stop.stop_requested()) return absl::CancelledError("stopped");
      entry.changed.wait_for(
          entry.mutex, stop, kLook,
          [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry.mutex) { return !entry.fetching; });
      if (entry.progress == seen) continue;
      seen = entry.progress;
      progress();
    }
    const auto later = entry.weights.lower_bound(version);
    if (later != entry.weights.begin()) std::tie(have, before) = *std::prev(later);
    graph = entry.graph;
    entry.fetching = true;
  }
  const ArtefactCache::Progress told = [&] {
    {
      const ScopedLock lock(entry.mutex);
      ++entry.progress;
    }
    progress();
  };
  absl::StatusOr<Fetched> fetched = Fetch(run, play, version, graph, have, before, told, stop);
  const ScopedLock lock(entry.mutex);
  entry.fetching = false;
  entry.changed.notify_all();
  RETURN_IF_ERROR(fetched.status());
  entry.graph = std::move(fetched->graph);
  if (fetched->opponent != nullptr) entry.opponent = std::move(fetched->opponent);
  if (play.re_entry) {
    entry.weights[version] = std::move(fetched->weights);
  } else {
    entry.own = std::move(fetched->own);
    entry.ready = true;
  }
  auto book = entry.Find(play, version);
  while (entry.weights.size() > kKeptVersions && entry.weights.begin()->first < version) {
    entry.weights.erase(entry.weights.begin());
  }
  return book;
}

absl::StatusOr<std::shared_ptr<const book::Graph>> RunBooks::FetchGraph(
    const Rules& rules, const std::string& snapshot, const ArtefactCache::Progress& progress,
    const std::stop_token& stop) {
  Sha256 sha256{};
  std::copy_n(snapshot.begin(), std::min(snapshot.size(), sha256.size()), sha256.begin());
  std::shared_ptr<const MappedFile> file = cache_.Find(sha256);
  if (file == nullptr) {
    ASSIGN_OR_RETURN(ArtefactManifest manifest, port_.Manifest(sha256, stop));
    manifest.sha256 = sha256;  // the requested hash, whatever the reply says
    ASSIGN_OR_RETURN(file, cache_.Get(manifest, port_, progress, stop));
  }
  if (const std::shared_ptr<const MappedFile> links = cache_.FindNotes(sha256)) {
    auto graph = book::Graph::ParseWithLinks(rules, file->bytes(), links->bytes());
    if (graph.ok()) {
      progress();
      return std::make_shared<const book::Graph>(*std::move(graph));
    }
  }
  ASSIGN_OR_RETURN(book::Graph graph, book::Graph::Parse(rules, file->bytes(), progress));
  cache_.KeepNotes(sha256, graph.SerializeLinks());
  return std::make_shared<const book::Graph>(std::move(graph));
}

absl::StatusOr<std::shared_ptr<const book::PlayBook>> RunBooks::FetchPlayBook(
    const Rules& rules, const std::string& sha256, const ArtefactCache::Progress& progress,
    const std::stop_token& stop) {
  if (sha256.empty()) return std::shared_ptr<const book::PlayBook>();
  ASSIGN_OR_RETURN(std::shared_ptr<const book::Graph> shipped,
                   FetchGraph(rules, sha256, progress, stop));
  return std::make_shared<const book::PlayBook>(book::PlayBookOf(std::move(shipped)));
}

absl::StatusOr<RunBooks::Fetched> RunBooks::Fetch(RunId run, const PlaySpec& play, uint32_t version,
                                                  std::shared_ptr<const book::Graph> graph,
                                                  uint32_t have, const WeightsPtr& before,
                                                  const ArtefactCache::Progress& progress,
                                                  const std::stop_token& stop) {
  ASSIGN_OR_RETURN(const Rules* const rules, rules_of_(play.game));
  std::shared_ptr<const book::PlayBook> opponent;
  if (graph == nullptr && play.opponent) {
    ASSIGN_OR_RETURN(opponent, FetchPlayBook(*rules, play.opponent->book, progress, stop));
  }
  if (!play.re_entry) {
    const std::string sha256 = play.own_book ? play.own_book->sha256 : "";
    ASSIGN_OR_RETURN(auto own, FetchPlayBook(*rules, sha256, progress, stop));
    return Fetched{nullptr, std::move(opponent), std::move(own), nullptr};
  }
  if (graph == nullptr) {
    ASSIGN_OR_RETURN(graph, FetchGraph(*rules, play.snapshot, progress, stop));
  }
  const auto edges = static_cast<uint32_t>(graph->edge_count());
  for (;; have = 0) {
    ASSIGN_OR_RETURN(const ArtefactManifest manifest,
                     port_.Manifest(WeightsName{run, have, version}, stop));
    ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file,
                     cache_.Get(manifest, port_, progress, stop));
    ASSIGN_OR_RETURN(const book::WeightsDeltaHeader header,
                     book::ReadWeightsDeltaHeader(file->bytes()));
    absl::StatusOr<book::Weights> weights = book::ApplyWeightsDelta(
        header.from == 0 || have == 0 ? book::Weights() : *before, file->bytes(), edges);
    const bool fits = header.to == version && (header.from == 0 || header.from == have);
    if (fits && weights.ok()) {
      return Fetched{std::move(graph), std::move(opponent), nullptr,
                     std::make_shared<const book::Weights>(*std::move(weights))};
    }
    if (have != 0) continue;  // our version is no longer a base: fetch all weights
    if (!weights.ok()) return weights.status();
    return MakeProblem({.code = "bad_weights_delta",
                        .found = absl::StrCat("weights ", header.to, " from ", header.from),
                        .expected = absl::StrCat("weights ", version)});
  }
}

}  // namespace joseki::worker
