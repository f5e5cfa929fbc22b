#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Positions at which searches failed in a row, and the workers that no longer get them. A failure
// may be due to the position or to the worker:
//
//   one worker     after `attempts` failures of its own the position is closed to it alone
//
//   many workers   after failures of `attempts` workers it is closed to all
//
// A search that succeeds takes back the failures under its lease and under earlier ones: the rows
// name no other order. Where one has ever succeeded kPatience times as many failures are needed, as
// the workers may be at fault. Failures of workers that are not trusted do not count. The result
// depends on the failures, the successes and the last trust, not on their order.
class FailedSearches {
 public:
  static constexpr uint32_t kPatience = 3;

  explicit FailedSearches(uint32_t attempts) : attempts_(attempts) {}

  // Notes a failure; a lease counts once for a position.
  void Note(const Key& position, const LineFailure& failure);
  // Notes that a search of the position succeeded under the lease.
  void Succeed(const Key& position, LeaseId lease);
  // Forgets failures under leases before `next`; returns the number of positions that some worker
  // or all did not get.
  size_t Free(LeaseId next);
  void SetTrust(const Trust& trust) { trust_ = trust; }

  bool IsClosed(const Key& position, const std::string& worker) const;
  bool IsClosedToAll(const Key& position) const;
  // Number of failures of trusted workers.
  uint32_t FailuresAt(const Key& position) const;

 private:
  // Number of failures that close the position.
  uint32_t Most(const Key& position) const;

  uint32_t attempts_;
  Trust trust_;
  LeaseId freed_ = 0;  // failures under leases before this one no longer count
  // The newest lease under which a search succeeded.
  absl::flat_hash_map<Key, LeaseId, std::hash<Key>> succeeded_;
  absl::flat_hash_map<Key, std::vector<LineFailure>, std::hash<Key>> failed_;
};

}  // namespace joseki::coordinator
