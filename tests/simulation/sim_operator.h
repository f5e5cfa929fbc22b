#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/coordinator.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/sim_worker.h"
#include "tests/simulation/stage.h"

namespace joseki::testing {

// The operator, who also keeps the books: what the workers and he himself were told is done must be
// so from then on, but for what came after a backup to which he goes back.
class SimOperator {
 public:
  // Of `workers` workers, named w0 and so on; backups go into `folder`.
  SimOperator(Stage& stage, SimCoordinator& coordinator, std::string folder, int workers)
      : stage_(stage),
        coordinator_(coordinator),
        folder_(std::move(folder)),
        workers_(static_cast<uint64_t>(workers)) {}

  // Each has a name of its own; the last is the one that is stopped.
  void Want(std::vector<coordinator::RunSpec> runs) { wanted_ = std::move(runs); }
  const std::vector<coordinator::RunSpec>& wanted() const { return wanted_; }

  // Every run that is wanted and not there yet.
  void CreateRuns();
  void PauseARun();
  void MoveShare();
  void ExtendARun();
  // The last of them: the others are to come to their end.
  void StopARun();
  void DrainAWorker();
  void BlockAWorker();
  // REQUIRES: the coordinator runs.
  void UnblockThoseOfTheOperator();
  // By another process, whose disk works.
  void BackUpNow();
  void RestoreLast();

  // A worker was told so of one of its games.
  void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict);
  void OfALostEpoch(const worker::FinishedGame& game);
  const std::map<SlotKey, std::vector<Move>>& acknowledged() const { return told_.games; }

  // Nothing acknowledged may be missing, at any time, and nothing that was lost may come back.
  void CheckStored();
  // What the operator was told must still be so. REQUIRES: the coordinator runs.
  void CheckTold();

 private:
  // What somebody was told, and the database must know.
  struct Told {
    std::map<SlotKey, std::vector<Move>> games;
    std::set<std::string> created;  // runs, by name
    std::set<std::string> stopped;
    // Of a run: what it may be, for a change whose reply did not come may have been made.
    std::map<std::string, std::vector<coordinator::Share>> shares;
    std::map<std::string, uint64_t> games_of;  // the budget of a run that was extended, at least
  };
  struct Backup {
    std::string path;
    Told told;  // when it was begun
  };

  Stage& stage_;
  SimCoordinator& coordinator_;
  const std::string folder_;
  const uint64_t workers_;
  std::vector<coordinator::RunSpec> wanted_;
  Told told_;
  std::optional<Backup> backup_;
  std::set<SlotKey> lost_;  // games of leases that the backup did not have: none may come back
};

}  // namespace joseki::testing
