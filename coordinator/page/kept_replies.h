#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// Replies that read whole runs: each is made once for everybody who asks, one at a time, and kept
// in proportion to what it took, so that many open pages cost a coordinator a bounded share of one
// core. Safe to use from several threads.
class KeptReplies {
 public:
  using Maker = std::function<absl::StatusOr<Json>()>;

  // `clock` must outlive it.
  explicit KeptReplies(const Clock& clock) : clock_(clock) {}

  // The reply for `key`: what was made of the same `version` before, or lately of another, or what
  // `make` makes now. While another one is being made, an older reply, or Unavailable "being_made".
  absl::StatusOr<Json> Get(const std::string& key, const std::string& version, const Maker& make);

  static constexpr size_t kMost = 16;  // replies that are kept; the oldest goes
  static constexpr absl::Duration kFresh = absl::Seconds(5);
  static constexpr int kTimesCost = 20;  // as long as it took, so often

 private:
  struct Reply {
    Json json;
    std::string version;
    absl::Time made;
    absl::Duration cost;
  };

  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Reply> replies_;
  bool making_ = false;
};

}  // namespace joseki::coordinator
