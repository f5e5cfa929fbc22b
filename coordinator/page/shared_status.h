#pragma once

#include <functional>
#include <memory>

#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// One status of the cluster for all callers within a short time, so that many open pages cost no
// more than one. Thread-safe.
class SharedStatus {
 public:
  using Source = std::function<ClusterStatus()>;
  using Look = std::shared_ptr<const ClusterStatus>;

  // `fresh`: how long a status is reused. `clock` must outlive this object.
  SharedStatus(Source source, absl::Duration fresh, const Clock& clock);

  Look Get();

 private:
  const Source source_;
  const absl::Duration fresh_;
  const Clock& clock_;
  Mutex mutex_;  // held while a status is read, so that others wait for it
  Look last_ ABSL_GUARDED_BY(mutex_);
  absl::Time taken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::coordinator
