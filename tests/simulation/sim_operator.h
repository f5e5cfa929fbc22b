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

// The operator, who also keeps the ledger. Every acknowledgement to workers and operator must stay
// true, except those lost by a return to a backup.
class SimOperator {
 public:
  // For `workers` workers, named w0 and so on; backups go into `folder`.
  SimOperator(Stage& stage, SimCoordinator& coordinator, std::string folder, int workers)
      : stage_(stage),
        coordinator_(coordinator),
        folder_(std::move(folder)),
        workers_(static_cast<uint64_t>(workers)) {}

  // Sets the runs to create, each with a unique name; the last is the one to be stopped.
  void Want(std::vector<coordinator::RunSpec> runs) { wanted_ = std::move(runs); }
  const std::vector<coordinator::RunSpec>& wanted() const { return wanted_; }

  // Creates every wanted run that does not exist yet.
  void CreateRuns();
  void PauseARun();
  void MoveShare();
  void ExtendARun();
  // Stops the last run; the others are to finish.
  void StopARun();
  void DrainAWorker();
  void BlockAWorker();
  // REQUIRES: the coordinator runs.
  void UnblockThoseOfTheOperator();
  // Takes a backup by another process, whose disk works.
  void BackUpNow();
  void RestoreLast();

  // Records that a worker was given this verdict on one of its games.
  void Acknowledged(const worker::FinishedGame& game, worker::Verdict verdict);
  void OfALostEpoch(const worker::FinishedGame& game);
  const std::map<SlotKey, std::vector<Move>>& acknowledged() const { return told_.games; }

  // Checks that no acknowledged game is missing and no lost one has returned. May be called at any
  // time.
  void CheckStored();
  // Checks that acknowledgements to the operator are still true. REQUIRES: the coordinator runs.
  void CheckTold();

 private:
  // Acknowledged facts that the database must hold.
  struct Told {
    std::map<SlotKey, std::vector<Move>> games;
    std::set<std::string> created;  // names of runs
    std::set<std::string> stopped;
    // Possible values by run: a change without a reply may or may not have been made.
    std::map<std::string, std::vector<coordinator::Share>> shares;
    std::map<std::string, uint64_t> games_of;  // lower bound of the budget of an extended run
  };
  struct Backup {
    std::string path;
    Told told;  // facts at the begin of the backup
  };

  Stage& stage_;
  SimCoordinator& coordinator_;
  const std::string folder_;
  const uint64_t workers_;
  std::vector<coordinator::RunSpec> wanted_;
  Told told_;
  std::optional<Backup> backup_;
  std::set<SlotKey> lost_;  // games of leases that the backup lacked: none may return
};

}  // namespace joseki::testing
