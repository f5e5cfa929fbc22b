#pragma once

#include <functional>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// A cache of replies that read whole runs. Each reply is made once for all callers, one at a time,
// and kept in proportion to its cost. Many open pages then cost a bounded share of one core.
// Thread-safe.
class KeptReplies {
 public:
  using Maker = std::function<absl::StatusOr<Json>()>;

  // `clock` must outlive this object.
  explicit KeptReplies(const Clock& clock) : clock_(clock) {}

  // The reply for `key`: a cached one of the same `version` or of recent date, else a new one from
  // `make`. While another reply is being made, an older one or Unavailable "being_made".
  absl::StatusOr<Json> Get(const std::string& key, const std::string& version, const Maker& make);

  static constexpr size_t kMost = 16;  // cached replies; the oldest is dropped
  static constexpr absl::Duration kFresh = absl::Seconds(5);
  static constexpr int kTimesCost = 20;  // a reply is kept for this many times its cost

 private:
  struct Reply {
    Json json;
    std::string version;
    absl::Time made;
    absl::Duration cost;
  };

  const Clock& clock_;
  Mutex mutex_;
  std::map<std::string, Reply> replies_ ABSL_GUARDED_BY(mutex_);
  bool making_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace joseki::coordinator
