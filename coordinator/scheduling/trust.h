#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Values are stored: never renumber.
enum class TrustAction : uint8_t { kBlock = 1, kUnblock = 2, kUnblockKeepOut = 3 };

// A block or unblock of one worker: a row of the database, never changed afterwards.
struct TrustChange {
  uint64_t change = 0;  // from 1, without gaps
  std::string worker;
  TrustAction action = TrustAction::kBlock;
  LeaseId lease = 0;  // the next one to be granted at that time
  bool automatic = false;
  std::string reason;
  int64_t at_ms = 0;
};

// The blocked workers, and the workers whose games are no evidence. They follow from the changes
// applied, so every checkpoint of the evidence can name the last change that it includes.
//
//   block              the worker gets no slots; all of its games are out, of every run, whenever
//                      they were played
//   unblock            the worker plays again, and all of its games are back
//   unblock, keep out  the worker plays again; its games under leases granted until then stay out
// A value type: copy it to keep a state.
class Trust {
 public:
  // REQUIRES: `change` follows the last one applied.
  void Apply(const TrustChange& change);

  // The last change applied; 0: none.
  uint64_t change() const { return change_; }
  // The block of a worker; null if it may play.
  const TrustChange* BlockOf(const std::string& worker) const;
  // Whether a game of the worker under this lease is no evidence.
  bool Excludes(const std::string& worker, LeaseId lease) const;
  // The blocked workers, with their blocks.
  const std::map<std::string, TrustChange>& blocked() const { return blocked_; }

 private:
  uint64_t change_ = 0;
  std::map<std::string, TrustChange> blocked_;
  // Games under leases before this one are out; of a blocked worker, all are.
  std::map<std::string, LeaseId> workers_;
};

}  // namespace joseki::coordinator
