#include "coordinator/page/shared_status.h"

#include <utility>

namespace joseki::coordinator {

SharedStatus::SharedStatus(Source source, absl::Duration fresh, const Clock& clock)
    : source_(std::move(source)), fresh_(fresh), clock_(clock) {}

SharedStatus::Look SharedStatus::Get() {
  const ScopedLock lock(mutex_);
  const absl::Time now = clock_.Now();
  // A clock that is set back must not keep a status for ever.
  const bool fresh = last_ != nullptr && now >= taken_ && now < taken_ + fresh_;
  if (!fresh) {
    last_ = std::make_shared<const ClusterStatus>(source_());
    taken_ = now;
  }
  return last_;
}

}  // namespace joseki::coordinator
