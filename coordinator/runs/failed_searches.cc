#include "coordinator/runs/failed_searches.h"

#include <algorithm>
#include <vector>

#include "coordinator/runs/failure_weight.h"

namespace joseki::coordinator {

void FailedSearches::Note(const Key& position, const LineFailure& failure) {
  if (failure.lease < freed_) return;
  const auto succeeded = succeeded_.find(position);
  if (succeeded != succeeded_.end() && failure.lease <= succeeded->second) return;
  AddFailure(failed_[position], failure);
}

void FailedSearches::Succeed(const Key& position, LeaseId lease) {
  LeaseId& newest = succeeded_[position];
  newest = std::max(newest, lease);
  const auto at = failed_.find(position);
  if (at == failed_.end()) return;
  std::erase_if(at->second, [&](const LineFailure& failure) { return failure.lease <= newest; });
  if (at->second.empty()) failed_.erase(at);
}

size_t FailedSearches::Free(LeaseId next) {
  size_t freed = 0;
  for (const auto& [position, failures] : failed_) {
    freed += std::any_of(
        failures.begin(), failures.end(),
        [&, &at = position](const auto& failure) { return IsClosed(at, failure.worker); });
  }
  freed_ = std::max(freed_, next);
  absl::erase_if(failed_, [&](auto& entry) {
    std::erase_if(entry.second, [&](const LineFailure& failure) { return failure.lease < freed_; });
    return entry.second.empty();
  });
  return freed;
}

uint32_t FailedSearches::Most(const Key& position) const {
  return succeeded_.contains(position) ? kPatience * attempts_ : attempts_;
}

bool FailedSearches::IsClosed(const Key& position, const std::string& worker) const {
  const auto at = failed_.find(position);
  if (at == failed_.end()) return false;
  return FailuresOf(at->second, worker) >= Most(position) || IsClosedToAll(position);
}

bool FailedSearches::IsClosedToAll(const Key& position) const {
  const auto at = failed_.find(position);
  if (at == failed_.end()) return false;
  const FailureWeight weight = Weigh(at->second, trust_);
  return weight.failures >= Most(position) && weight.workers() >= attempts_;
}

uint32_t FailedSearches::FailuresAt(const Key& position) const {
  const auto at = failed_.find(position);
  return at == failed_.end() ? 0 : Weigh(at->second, trust_).failures;
}

}  // namespace joseki::coordinator
