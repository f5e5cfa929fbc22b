#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Periodic events: leases and held calls expire, runs consume their time, workers fall silent. Used
// by one thread, with the tables that are passed in.
class Upkeep {
 public:
  // `chores`: interval of the work that is not needed at each tick, if that is less than five
  // seconds.
  Upkeep(absl::Time began, absl::Duration chores);

  // Checks all sessions every two seconds, some per call: whom they serve, and who was heard of
  // recently. False if there are no more for now.
  bool CountSome(Tables& tables);

  // The two events of a tick. The first expires leases and consumes the time of runs; its end
  // serves held calls. The second ends the held calls whose deadline has passed. It returns true if
  // chores were due: rows of the runs are owed, and checkpoints may be due.
  void BeginTick(Tables& tables);
  bool EndTick(Tables& tables);

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

// The room that the disk has, with a problem for people if that is little.
void NoteDisk(Tables& tables, DiskLevel level, std::string problem);
// Whether the database can be written; `problem` is empty if it can.
void NoteStorage(Tables& tables, std::string problem);
// Nothing new begins from now on; returns the held calls.
std::vector<Waiter> StopGranting(Tables& tables);
// Owes the rows of all runs, for the last transaction.
void OweRuns(Tables& tables);
// Forgets all debts: the database belongs to another coordinator.
void DropDebts(Tables& tables);

}  // namespace joseki::coordinator
