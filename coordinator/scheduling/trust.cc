#include "coordinator/scheduling/trust.h"

#include <cassert>
#include <limits>

namespace joseki::coordinator {

void Trust::Apply(const TrustChange& change) {
  assert(change.change == change_ + 1);
  change_ = change.change;
  switch (change.action) {
    case TrustAction::kBlock:
      blocked_.insert_or_assign(change.worker, change);
      workers_[change.worker] = std::numeric_limits<LeaseId>::max();
      return;
    case TrustAction::kUnblock:
      blocked_.erase(change.worker);
      workers_.erase(change.worker);
      return;
    case TrustAction::kUnblockKeepOut:
      blocked_.erase(change.worker);
      workers_[change.worker] = change.lease;
      return;
  }
}

const TrustChange* Trust::BlockOf(const std::string& worker) const {
  const auto at = blocked_.find(worker);
  return at == blocked_.end() ? nullptr : &at->second;
}

bool Trust::Excludes(const std::string& worker, LeaseId lease) const {
  if (workers_.empty()) return false;
  const auto at = workers_.find(worker);
  return at != workers_.end() && lease < at->second;
}

}  // namespace joseki::coordinator
