#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "coordinator/coordinator.h"
#include "engine/core/rules.h"
#include "tests/simulation/stage.h"
#include "tests/support/fault_vfs.h"

namespace joseki::testing {

// Lease and slot; lease numbers are unique over all runs.
using SlotKey = std::pair<uint64_t, uint32_t>;

// Suspends faults of the disk during its lifetime.
class WorkingDisk {
 public:
  explicit WorkingDisk(FaultControl& control)
      : control_(control), kill_at_(control.kill_at.exchange(0)), full_(control.full.exchange(0)) {
    for (size_t i = 0; i < fail_.size(); ++i) fail_[i] = control_.fail[i].exchange(0);
  }
  ~WorkingDisk() {
    for (size_t i = 0; i < fail_.size(); ++i) control_.fail[i] = fail_[i];
    control_.full = full_;
    control_.kill_at = kill_at_;
  }
  WorkingDisk(const WorkingDisk&) = delete;
  WorkingDisk& operator=(const WorkingDisk&) = delete;

 private:
  FaultControl& control_;
  const uint32_t kill_at_;
  const uint32_t full_;
  std::array<uint32_t, kFaultPoints> fail_{};
};

// The real coordinator over real SQLite on a disk that can fail, stepped by the simulation's clock.
// It can be stopped, killed and restarted.
class SimCoordinator {
 public:
  // Receives notice of every start.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void Started() = 0;       // at every start
    virtual void StartedAgain() = 0;  // after Started, at every start but the first
  };
  // The database is in `folder`.
  SimCoordinator(Stage& stage, const Rules& rules, const std::string& folder, uint64_t seed,
                 Watcher& watcher);

  // Starts it; failure is a violation unless there is trouble.
  bool Start();
  // Starts it after a while, and retries until it starts.
  void StartLater();
  // Performs the coordinator's due work, now and from now on.
  void Step();
  void Kill(bool power);
  void Stop();
  // Ends it silently, at the end.
  void End();

  // Makes the next write of some kind, or one of those after it, kill the coordinator.
  void DieWhileWriting();
  // Makes the disk full for a while, or makes some of its operations fail.
  void FailDisk();
  // Ends all faults of the disk.
  void MendDisk();

  bool running() const { return coordinator_ != nullptr; }
  // True if it runs and answers calls.
  bool up() const { return running() && control_.struck == 0; }
  // REQUIRES: running.
  coordinator::Coordinator& get() { return *coordinator_; }
  // Number of the present life. Answers of an earlier life are dropped.
  uint64_t life() const { return life_; }
  bool Speaks(uint64_t life) const { return life == life_ && control_.dead == 0; }

  const std::string& path() const { return path_; }
  const std::string& epoch() const { return epoch_; }
  void set_epoch(std::string epoch) { epoch_ = std::move(epoch); }
  FaultControl& control() { return control_; }
  // The games that the database has, or that were acknowledged.
  std::set<SlotKey> Stored() const;

 private:
  // Cleans up after its death, so that its files can be opened again.
  void Bury();

  Stage& stage_;
  const Rules& rules_;
  Watcher& watcher_;
  const std::string path_;
  FaultControl control_;
  FaultVfs vfs_;
  std::unique_ptr<coordinator::Coordinator> coordinator_;  // null: not running
  uint64_t life_ = 0;
  std::string epoch_;
};

}  // namespace joseki::testing
