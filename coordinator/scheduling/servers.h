#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Counts the sessions that serve each run. Not thread-safe: guarded by the owner's mutex.
class Servers {
 public:
  // The session serves these runs, and no others.
  void Set(SessionId session, std::vector<RunId> runs) {
    std::vector<RunId>& counted = served_[session];
    for (const RunId run : counted) --counts_[run];
    for (const RunId run : runs) ++counts_[run];
    counted = std::move(runs);
    if (counted.empty()) served_.erase(session);
  }

  uint32_t Of(RunId run) const {
    const auto at = counts_.find(run);
    return at == counts_.end() ? 0 : at->second;
  }

 private:
  std::map<SessionId, std::vector<RunId>> served_;
  std::map<RunId, uint32_t> counts_;
};

}  // namespace joseki::coordinator
