#pragma once

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Events of time: leases and held calls expire, runs consume their time, workers fall silent. Used
// by one thread, with the tables that are passed in.
class Upkeep {
 public:
  // `chores`: interval of the work that is not needed at each tick, if that is less than five
  // seconds.
  Upkeep(absl::Time began, absl::Duration chores);

  // Checks all sessions every two seconds, some per call: whom they serve, and who was heard of
  // recently. False if there are no more for now.
  bool CountSome(Tables& tables);

  struct Done {
    bool again = false;   // more remains than one event may do
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
  std::optional<SessionId> counting_;  // the last session that was checked
  std::vector<SessionId> forgotten_;   // sessions checked and no longer known
  absl::Duration silence_;
  bool expiry_stopped_ = false;  // by load: no lease may expire for calls that were not processed
};

}  // namespace joseki::coordinator
