#include "coordinator/runs/failure_weight.h"

#include <algorithm>

namespace joseki::coordinator {

FailureWeight Weigh(std::span<const LineFailure> failed, const Trust& trust, LeaseId since) {
  FailureWeight weight;
  for (const LineFailure& failure : failed) {
    if (failure.lease < since || trust.Excludes(failure.worker, failure.lease)) continue;
    ++weight.failures;
    ++weight.by[failure.worker];
  }
  return weight;
}

uint32_t FailuresOf(std::span<const LineFailure> failed, const std::string& worker) {
  return static_cast<uint32_t>(
      std::count_if(failed.begin(), failed.end(),
                    [&](const LineFailure& failure) { return failure.worker == worker; }));
}

void AddFailure(std::vector<LineFailure>& failed, const LineFailure& failure) {
  if (std::find(failed.begin(), failed.end(), failure) == failed.end()) failed.push_back(failure);
}

}  // namespace joseki::coordinator
