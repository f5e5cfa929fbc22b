#include "coordinator/runs/failed_searches.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace joseki::coordinator {

void FailedSearches::Note(const Key& position, const LineFailure& failure) {
  // A fault may come late, when its lease has already ended.
  std::vector<LineFailure>& all = failed_[position];
  if (std::find(all.begin(), all.end(), failure) == all.end()) all.push_back(failure);
}

bool FailedSearches::IsClosed(const Key& position, const std::string& worker) const {
  const auto at = failed_.find(position);
  if (at == failed_.end()) return false;
  uint32_t own = 0;
  std::set<std::string_view> workers;
  for (const LineFailure& failure : at->second) {
    if (failure.worker == worker) ++own;
    if (!trust_.Excludes(failure.worker, failure.lease)) workers.insert(failure.worker);
  }
  return own >= attempts_ || workers.size() >= attempts_;
}

uint32_t FailedSearches::FailuresAt(const Key& position) const {
  const auto at = failed_.find(position);
  if (at == failed_.end()) return 0;
  return static_cast<uint32_t>(
      std::count_if(at->second.begin(), at->second.end(), [this](const LineFailure& failure) {
        return !trust_.Excludes(failure.worker, failure.lease);
      }));
}

}  // namespace joseki::coordinator
