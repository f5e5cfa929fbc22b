#include "coordinator/runs/prior_versions.h"

#include <algorithm>
#include <span>

namespace joseki::coordinator {
namespace {

// Least number of new evaluations for a version. A further version is due after twice as many
// evaluations, or the last of them, or twice as many games.
constexpr uint64_t kFirstResults = 16;

}  // namespace

PriorVersions::PriorVersions(RunId run, std::shared_ptr<const Evaluations> evaluations,
                             const PriorSet& newest, bool at_once)
    : evaluations_(std::move(evaluations)), at_once_(at_once), newest_(newest) {
  newest_.run = run;
  if (evaluations_ != nullptr) results_ = evaluations_->ResultsIn(newest_);
}

bool PriorVersions::AreDue(const RunEvidence& evidence, bool running) const {
  const uint64_t trust_change = evidence.trust().change();
  if (evaluations_ == nullptr || !evaluations_->IsJudgedBy(trust_change)) return false;
  if (newest_.trust_change != trust_change) return true;
  if (!running) return false;
  const uint64_t results = evaluations_->results();
  if (results > results_) {
    const bool all = evaluations_->Available() == 0 && evaluations_->open() == 0;
    if (all || results >= 2 * results_ + kFirstResults) return true;
  }
  return newest_.positions > 0 &&
         evidence.counters().games >= std::max(kFirstGames, 2 * newest_.games);
}

void PriorVersions::Refresh(const RunBook& book, RunEvidence& evidence) {
  PriorMaking making = Begin(book);
  making.Reserve();
  while (Copy(evidence, making) == Progress::kMore) {
  }
  making.Work();
  while (Adopt(evidence, making) == Progress::kMore) {
  }
}

PriorMaking PriorVersions::Begin(const RunBook& book) const {
  PriorMaking making;
  making.graph = book.graph;
  making.policy = book.policy;
  making.targets = evaluations_->count().positions;
  return making;
}

Progress PriorVersions::Copy(RunEvidence& evidence, PriorMaking& making,
                             const PieceSize& piece) const {
  if (making.copied == 0) evidence.Watch();
  if (!evidence.watching()) return Progress::kVoid;
  const std::span<const book::Arm> arms = evidence.tuner().pooled();
  const auto edges = static_cast<book::EdgeId>(arms.size());
  const book::EdgeId begin = making.copied;
  making.copied = begin + std::min(edges - begin, piece.edges);
  std::copy(arms.begin() + begin, arms.begin() + making.copied, making.arms.begin() + begin);
  if (making.copied < edges) return Progress::kMore;
  for (const book::EdgeId edge : evidence.TakeWatched()) making.arms[edge] = arms[edge];
  making.assessments = evaluations_->assessments();
  making.results = evaluations_->results();
  making.set = newest_;
  ++making.set.version;
  making.set.evaluations = evaluations_->last_seq();
  making.set.trust_change = evidence.trust().change();
  making.set.games_seq = evidence.seq();
  making.set.games = evidence.counters().games;
  making.set.positions = evaluations_->count().scored + evaluations_->count().imported;
  return Progress::kDone;
}

Progress PriorVersions::Adopt(RunEvidence& evidence, PriorMaking& making, const PieceSize& piece) {
  if (!evidence.watching()) return Progress::kVoid;
  // Games that came meanwhile. They come more slowly than they are added here.
  for (const book::EdgeId edge : evidence.TakeWatched()) making.late.push_back(edge);
  const size_t some = std::min<size_t>(making.late.size(), piece.late);
  if (making.values) {
    making.values->Update(evidence.tuner().pooled(), std::span(making.late).last(some));
  }
  making.late.resize(making.late.size() - some);
  if (!making.late.empty()) return Progress::kMore;
  evidence.Unwatch();
  evidence.SwapPriors(std::move(making.priors), making.values);
  newest_ = making.set;
  results_ = making.results;
  unwritten_.push_back(newest_);
  return Progress::kDone;
}

}  // namespace joseki::coordinator
