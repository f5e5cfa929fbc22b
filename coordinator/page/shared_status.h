#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// One look at the cluster for everybody who asks within a short time, so that many open pages cost
// what one does. Safe to use from several threads.
class SharedStatus {
 public:
  using Source = std::function<ClusterStatus()>;
  using Look = std::shared_ptr<const ClusterStatus>;

  // A look is handed out for `fresh`. `clock` must outlive it.
  SharedStatus(Source source, absl::Duration fresh, const Clock& clock);

  Look Get();

 private:
  const Source source_;
  const absl::Duration fresh_;
  const Clock& clock_;
  std::mutex mutex_;  // held while one looks, for the others shall wait for it
  Look last_;
  absl::Time taken_;
};

}  // namespace joseki::coordinator
