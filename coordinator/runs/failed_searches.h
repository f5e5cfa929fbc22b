#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Positions at which searches failed, and who searches them no more. A failure may be the
// position's or the worker's, and nobody knows which of the two:
//
//   one worker     after `attempts` failures of its own the position is closed to it, and only to
//   it many workers   after failures of `attempts` workers it is closed to all
//
// Failures of workers that are not trusted are none. A function of the failures and the last trust,
// in whichever order they came.
class FailedSearches {
 public:
  explicit FailedSearches(uint32_t attempts) : attempts_(attempts) {}

  // A lease counts once for a position.
  void Note(const Key& position, const LineFailure& failure);
  void SetTrust(const Trust& trust) { trust_ = trust; }

  bool IsClosed(const Key& position, const std::string& worker) const;
  // How many there were, of workers that are trusted.
  uint32_t FailuresAt(const Key& position) const;

 private:
  uint32_t attempts_;
  Trust trust_;
  absl::flat_hash_map<Key, std::vector<LineFailure>, std::hash<Key>> failed_;
};

}  // namespace joseki::coordinator
