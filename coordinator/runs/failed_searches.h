#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Positions at which searches failed, and the workers that no longer get them. A failure may be due
// to the position or to the worker:
//
//   one worker     after `attempts` failures of its own the position is closed to it alone
//
//   many workers   after failures of `attempts` workers it is closed to all
//
// Failures of workers that are not trusted do not count. The result depends on the failures and the
// last trust, not on their order.
class FailedSearches {
 public:
  explicit FailedSearches(uint32_t attempts) : attempts_(attempts) {}

  // Notes a failure; a lease counts once for a position.
  void Note(const Key& position, const LineFailure& failure);
  void SetTrust(const Trust& trust) { trust_ = trust; }

  bool IsClosed(const Key& position, const std::string& worker) const;
  // Number of failures of trusted workers.
  uint32_t FailuresAt(const Key& position) const;

 private:
  uint32_t attempts_;
  Trust trust_;
  absl::flat_hash_map<Key, std::vector<LineFailure>, std::hash<Key>> failed_;
};

}  // namespace joseki::coordinator
