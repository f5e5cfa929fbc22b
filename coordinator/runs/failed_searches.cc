#include "coordinator/runs/failed_searches.h"

#include "coordinator/runs/failure_weight.h"

namespace joseki::coordinator {

void FailedSearches::Note(const Key& position, const LineFailure& failure) {
  AddFailure(failed_[position], failure);
}

bool FailedSearches::IsClosed(const Key& position, const std::string& worker) const {
  const auto at = failed_.find(position);
  if (at == failed_.end()) return false;
  return FailuresOf(at->second, worker) >= attempts_ ||
         Weigh(at->second, trust_).workers() >= attempts_;
}

uint32_t FailedSearches::FailuresAt(const Key& position) const {
  const auto at = failed_.find(position);
  return at == failed_.end() ? 0 : Weigh(at->second, trust_).failures;
}

}  // namespace joseki::coordinator
