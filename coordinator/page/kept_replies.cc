#include "coordinator/page/kept_replies.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {

absl::StatusOr<Json> KeptReplies::Get(const std::string& key, const std::string& version,
                                      const Maker& make) {
  const absl::Time began = clock_.Now();
  {
    const ScopedLock lock(mutex_);
    const auto known = replies_.find(key);
    if (known != replies_.end()) {
      const Reply& reply = known->second;
      const absl::Duration age = began - reply.made;
      const bool late = age >= std::max(kFresh, kTimesCost * reply.cost);
      // A clock that is set back must not keep a reply for ever.
      const bool fresh = age >= absl::ZeroDuration() && !late;
      if (reply.version == version || fresh || making_) return reply.json;
    } else if (making_) {
      return MakeProblem({.code = "being_made",
                          .found = "another page that is being worked out",
                          .expected = "one at a time; ask again in a moment"},
                         absl::StatusCode::kUnavailable);
    }
    making_ = true;
  }
  const auto made = absl::MakeCleanup([this] {
    const ScopedLock lock(mutex_);
    making_ = false;
  });
  ASSIGN_OR_RETURN(Json json, make());
  const absl::Time now = clock_.Now();
  const ScopedLock lock(mutex_);
  replies_[key] = {json, version, now, now - began};
  if (replies_.size() > kMost) {
    replies_.erase(std::min_element(replies_.begin(), replies_.end(), [](auto& a, auto& b) {
      return a.second.made < b.second.made;
    }));
  }
  return json;
}

}  // namespace joseki::coordinator
