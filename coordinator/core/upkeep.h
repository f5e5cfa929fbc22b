#pragma once

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Events of time: leases and held calls run out, runs use up their time, workers fall silent. Used
// by one thread, with the tables that it is given.
class Upkeep {
 public:
  // `chores`: how often what need not be looked at each tick is looked at, if that is less than
  // five seconds.
  Upkeep(absl::Time began, absl::Duration chores);

  // Every two seconds looks at all sessions, some at a time: who serves what, who was heard of
  // lately. False where there are no more for now.
  bool CountSome(Tables& tables);

  struct Done {
    bool again = false;   // more was to be done than may be at once
    bool chores = false;  // rows of the runs are owed; checkpoints may be due
  };
  Done Tick(Tables& tables);

 private:
  void ExpireLeases(Tables& tables);
  void AddPlayedTime(Tables& tables);

  const absl::Duration chores_;
  absl::Time last_tick_;
  absl::Time last_chores_;
  absl::Time last_count_ = absl::InfinitePast();
  std::optional<SessionId> counting_;  // the last session that was looked at
  std::vector<SessionId> forgotten_;   // sessions looked at and no longer known
  absl::Duration silence_;
  bool expiry_stopped_ = false;  // by load: nobody may lose a lease for what was not looked at
};

}  // namespace joseki::coordinator
